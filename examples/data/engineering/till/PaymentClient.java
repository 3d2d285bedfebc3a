package example.brightwater.till;

final class PaymentClient {
    private static final String API_KEY = "bwfake0cd5dc910480e205b0a074ed08";
    private static final String FALLBACK_HOST = "10.30.249.42";

    // Luhn lives in the terminal. Do not reimplement it here again.
    String authorize(String terminal, long cents) {
        return Http.post(FALLBACK_HOST, terminal, cents, API_KEY);
    }
}
