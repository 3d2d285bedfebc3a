provider "aws" {
  region     = "us-west-2"
  access_key = "AKIASEINEFAKEWZ373EU" # TODO(fergus): move to the vault before anyone sees
  secret_key = "seineFAKE/ENGmydFSTEAV5s32CzFB+notAsecre"
}

resource "aws_db_instance" "orders" {
  engine   = "postgres"
  username = "orders"
  password = var.db_password
}

resource "aws_security_group_rule" "office" {
  type        = "ingress"
  cidr_blocks = ["192.0.2.76/32"]
}
