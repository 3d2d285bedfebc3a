CREATE TABLE customers (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  ssn text, -- who added this? nobody. it added itself
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX customers_email ON customers (email);
