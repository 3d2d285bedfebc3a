/**
 * Parses lines of a `.gitleaksignore`: `path:rule:line`, or `commit:path:rule:line`. The line number is
 * ignored, because findings move; a line becomes an entry for the rule's detectors in that file.
 */
import { keyOf } from '../../base/key.ts';
import type { SuppressionMatch } from './suppression.ts';

export interface IgnoreLine {
  readonly path: string;
  readonly rule: string;
}

/** A line that could not be converted, with the reason. */
export interface RejectedLine {
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

export interface ImportResult {
  readonly matches: readonly SuppressionMatch[];
  readonly refused: readonly RejectedLine[];
}

export function parseIgnoreFile(text: string, detectors: readonly string[]): ImportResult {
  const matches = new Map<string, SuppressionMatch>();
  const refused: RejectedLine[] = [];
  for (const [i, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const read = parseIgnoreLine(line);
    const ids = read ? detectorsFor(read.rule, detectors) : [];
    if (read === null) refused.push({ line: i + 1, text: line, why: 'not of the form path:rule:line' });
    else if (ids.length === 0)
      refused.push({ line: i + 1, text: line, why: `no detector is known for the rule ${read.rule}` });
    else
      for (const detector of ids)
        matches.set(`${detector}\0${read.path}`, {
          detector,
          fingerprint: null,
          path: null,
          source: null,
          object: keyOf(read.path),
        });
  }
  return { matches: [...matches.values()], refused };
}

/** Parsed from the end, because a path may contain colons. The part after `!` is inside an archive. */
export function parseIgnoreLine(line: string): IgnoreLine | null {
  const [, location, rule] = /^(.+):([^:\s]+):\d+$/.exec(line) ?? [];
  if (location === undefined || rule === undefined) return null;
  const path = location
    .replace(/^[0-9a-f]{7,64}:(?=.)/, '')
    .replace(/^\.?\/+/, '')
    .replace(/!.*$/, '');
  return path === '' ? null : { path, rule };
}

/** Rules whose names don't match our detectors. A generic one may correspond to several. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  'anthropic-admin-api-key': ['ANTHROPIC_KEY'],
  'aws-access-token': ['AWS_ACCESS_KEY'],
  'azure-ad-client-secret': ['AZURE_CLIENT_SECRET'],
  'gcp-api-key': ['GOOGLE_API_KEY'],
  'generic-api-key': ['API_KEY', 'PASSWORD'],
  'github-app-token': ['GITHUB_TOKEN'],
  'github-fine-grained-pat': ['GITHUB_FINE_GRAINED_TOKEN', 'GITHUB_TOKEN'],
  'github-oauth': ['GITHUB_TOKEN'],
  'github-pat': ['GITHUB_TOKEN'],
  'github-refresh-token': ['GITHUB_TOKEN'],
  'gitlab-pat': ['GITLAB_TOKEN'],
  'gitlab-ptt': ['GITLAB_TOKEN'],
  'gitlab-rrt': ['GITLAB_TOKEN'],
  'grafana-cloud-api-token': ['GRAFANA_TOKEN'],
  'grafana-service-account-token': ['GRAFANA_TOKEN'],
  'hashicorp-tf-api-token': ['TERRAFORM_TOKEN'],
  'hashicorp-tf-password': ['PASSWORD'],
  'huggingface-access-token': ['HUGGING_FACE_TOKEN'],
  'jwt-base64': ['JWT'],
  'kubernetes-secret-yaml': ['KUBERNETES_SECRET', 'API_KEY', 'PASSWORD'],
  'microsoft-teams-webhook': ['TEAMS_WEBHOOK'],
  'private-key': [
    'PRIVATE_KEY',
    'EC_PRIVATE_KEY',
    'ENCRYPTED_PRIVATE_KEY',
    'PGP_PRIVATE_KEY',
    'PUTTY_PRIVATE_KEY',
  ],
  'pypi-upload-token': ['PYPI_TOKEN'],
  'slack-webhook-url': ['SLACK_WEBHOOK'],
  'stripe-access-token': ['STRIPE_KEY'],
  'vault-batch-token': ['VAULT_TOKEN'],
  'vault-service-token': ['VAULT_TOKEN'],
};

/** Words that name the type of secret, not its issuer. */
const KINDS =
  /_(ACCESS|API|APP|AUTH|BOT|CLIENT|ID|KEY|LEGACY|OAUTH|PAT|PERSONAL|SECRET|TOKEN|URL|USER|V\d)(?=_|$)/g;

/** By the table, by the same name, or by the issuer if all its detectors belong to one. */
export function detectorsFor(rule: string, detectors: readonly string[]): string[] {
  const listed = RULES[rule.toLowerCase()]?.filter((id) => detectors.includes(id)) ?? [];
  if (listed.length > 0) return listed;
  const name = rule.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  if (detectors.includes(name)) return [name];
  const issuer = issuerOf(name);
  return detectors.filter((id) => id !== issuerOf(id) && issuerOf(id) === issuer);
}

function issuerOf(name: string): string {
  return name.replace(KINDS, '');
}
