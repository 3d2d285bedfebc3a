/** What runs where, and with which key. */
import { privateIp, publicIp } from './identifiers.ts';
import type { Random } from './random.ts';
import {
  awsAccessKey,
  awsSecretKey,
  databaseUrl,
  githubToken,
  gitlabToken,
  googleApiKey,
  password,
  slackToken,
  stripeKey,
} from './secrets.ts';
import type { Share } from './share.ts';
import { json } from './tables.ts';

export function addEngineeringInfra(share: Share, random: Random): void {
  addTerraform(share, random);
  addPipeline(share, random);
  addCluster(share, random);
}

function addTerraform(share: Share, random: Random): void {
  share.add(
    'engineering/infra/main.tf',
    `provider "aws" {
  region     = "us-west-2"
  access_key = "${awsAccessKey(random)}" # TODO(fergus): move to the vault before anyone sees
  secret_key = "${awsSecretKey(random)}"
}

resource "aws_db_instance" "orders" {
  engine   = "postgres"
  username = "orders"
  password = var.db_password
}

resource "aws_security_group_rule" "office" {
  type        = "ingress"
  cidr_blocks = ["${publicIp(random)}/32"]
}
`,
  );
  share.add(
    'engineering/infra/prod.tfvars',
    `db_password = "${password(random)}"
slack_token = "${slackToken(random)}"
maps_key    = "${googleApiKey(random)}"
`,
  );
  const attributes = {
    engine: 'postgres',
    username: 'orders',
    password: password(random),
    address: privateIp(random),
  };
  const database = { type: 'aws_db_instance', name: 'orders', instances: [{ attributes }] };
  share.add('engineering/infra/terraform.tfstate', json({ version: 4, resources: [database] }));
}

function addPipeline(share: Share, random: Random): void {
  share.add(
    'engineering/ci/pipeline.yml',
    `stages: [test, deploy]

test:
  script: make test

deploy:
  variables:
    GITLAB_TOKEN: ${gitlabToken(random)}
    DEPLOY_PASSWORD: $DEPLOY_PASSWORD
  script:
    - git config http.extraheader "Authorization: token ${githubToken(random)}"
    - make deploy
`,
  );
}

function addCluster(share: Share, random: Random): void {
  share.add(
    'engineering/k8s/secret.yaml',
    `apiVersion: v1
kind: Secret
metadata:
  name: shop
stringData:
  password: ${password(random)}
  stripe: ${stripeKey(random)}
  database-url: ${databaseUrl(random, 'mysql', 'shop', 'mysql-0:3306/shop')}
`,
  );
  share.add(
    'engineering/k8s/deployment.yaml',
    `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: shop
          image: registry.example.com/shop:4.12.0
          env:
            - name: DB_PASSWORD
              valueFrom:
                secretKeyRef: { name: shop, key: password }
`,
  );
}
