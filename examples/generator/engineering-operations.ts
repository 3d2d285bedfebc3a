/** Scripts, the database and what to do at night. */
import { ipv6, privateIp } from './identifiers.ts';
import { colleague, customer, mailbox } from './people.ts';
import type { Random } from './random.ts';
import { githubToken, password, slackToken, slackWebhook } from './secrets.ts';
import type { Share } from './share.ts';
import { sqlInserts } from './tables.ts';

export function addEngineeringOperations(share: Share, random: Random): void {
  addScripts(share, random);
  addDatabase(share, random);
  addRunbooks(share, random);
}

function addScripts(share: Share, random: Random): void {
  share.add(
    'engineering/scripts/notify.sh',
    `#!/bin/sh
# Tells the channel that the nightly job is done, or that it is not.
curl -s -X POST -d "{\\"text\\": \\"$1\\"}" ${slackWebhook(random)}
`,
  );
  share.add(
    'engineering/scripts/release.py',
    `import subprocess

TOKEN = "${githubToken(random)}"  # Solveig's, expires never, allegedly
SLACK = "${slackToken(random)}"

subprocess.run(["git", "push", "--tags"], check=True)
`,
  );
}

function addDatabase(share: Share, random: Random): void {
  share.add(
    'engineering/db/schema.sql',
    `CREATE TABLE customers (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  ssn text, -- who added this? nobody. it added itself
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX customers_email ON customers (email);
`,
  );
  const rows = random.times(25, (n) => {
    const { name, email } = customer(random);
    return { id: n + 1, name, email, last_ip: privateIp(random) };
  });
  share.add('engineering/db/seed.sql', `-- "anonymised" copy for staging\n${sqlInserts('customers', rows)}`);
}

function addRunbooks(share: Share, random: Random): void {
  share.add(
    'engineering/runbooks/on-call.md',
    `# On call

1. Breathe.
2. Is it the printer? It is the printer.
3. Till database: \`ssh tills -J bastion\`, on ${privateIp(random)} since March.
4. Admin console, user \`root\`, password: ${password(random)}
5. Wake ${colleague(random).email} last, and bring an apology.
`,
  );
  share.add(
    'engineering/runbooks/restore.md',
    `# Restoring the shop

The dump is nightly. The restore has been tested once, by accident.

- primary ${privateIp(random)}, replica ${privateIp(random)}
- over IPv6: ${ipv6(random)}
- alert ${mailbox('platform')} before you start, and after, if there is an after
`,
  );
}
