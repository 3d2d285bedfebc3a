interface PasswordWords {
  readonly language: string;
  /** Lower case, as they stand before a colon; compounds that end in one are found as well. */
  readonly words: readonly string[];
  /** What stands between such a word and the password in a sentence. */
  readonly is: readonly string[];
}

/** What passwords are called. English words that end in "password" or "pass" are found in names as well. */
export const PASSWORD_WORDS: readonly PasswordWords[] = [
  { language: 'Chinese', words: ['密码', '密碼', '口令'], is: ['是', '为'] },
  { language: 'Czech', words: ['heslo'], is: ['je', 'zní'] },
  { language: 'Danish', words: ['adgangskode', 'kodeord'], is: ['er'] },
  { language: 'Dutch', words: ['wachtwoord'], is: ['is', 'luidt'] },
  {
    language: 'English',
    words: ['password', 'passwd', 'passphrase', 'passcode', 'pwd'],
    is: ['is', 'was', 'is now', 'è'],
  },
  { language: 'Finnish', words: ['salasana'], is: ['on'] },
  { language: 'French', words: ['mot de passe', 'mot_de_passe', 'mdp'], is: ['est'] },
  { language: 'German', words: ['passwort', 'kennwort', 'passwörter'], is: ['ist', 'lautet', 'war'] },
  { language: 'Hungarian', words: ['jelszó', 'jelszo'], is: [] },
  { language: 'Italian', words: ["parola d'ordine", 'parola d’ordine'], is: ['è'] },
  { language: 'Japanese', words: ['パスワード', '暗証番号', 'パスコード'], is: ['は'] },
  { language: 'Korean', words: ['비밀번호', '암호', '패스워드'], is: ['는'] },
  { language: 'Norwegian', words: ['passord'], is: ['er'] },
  { language: 'Polish', words: ['hasło', 'haslo'], is: ['to', 'brzmi'] },
  { language: 'Portuguese', words: ['senha', 'palavra-passe', 'palavra passe'], is: ['é'] },
  { language: 'Romanian', words: ['parolă', 'parola'], is: ['este'] },
  { language: 'Russian', words: ['пароль', 'Пароль', 'ПАРОЛЬ'], is: ['это'] },
  { language: 'Slovak', words: ['heslo'], is: ['je'] },
  { language: 'Spanish', words: ['contraseña', 'contraseÑa', 'contrasena'], is: ['es'] },
  { language: 'Swedish', words: ['lösenord', 'lÖsenord', 'losenord'], is: ['är'] },
  { language: 'Turkish', words: ['şifre', 'Şifre', 'sifre', 'parola'], is: ['olarak'] },
];
