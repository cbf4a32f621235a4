import { promises as fs } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where programs keep keys, tokens, passwords and histories, below a home folder. */
const SECRETS_OF_HOME = [
  '.ssh', '.aws', '.config', '.gnupg', '.npmrc', '.yarnrc', '.yarnrc.yml', '.netrc', '_netrc', '.docker', '.kube', '.azure', '.oci', '.pypirc', '.git-credentials', '.password-store', '.pgpass',
  '.my.cnf', '.mylogin.cnf', '.vault-token', '.terraform.d', '.terraformrc', '.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials',
  '.nuget', '.composer/auth.json', '.local/share/keyrings', '.local/share/kwalletd', '.mozilla', '.thunderbird', '.pki', '.claude', '.claude.json', '.codex', '.gemini', '.env', '.envrc', '.s3cfg', '.boto', '.rclone.conf',
  '.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history', '.sqlite_history', '.lesshst', '.viminfo', '.wget-hsts',
] as const;
/** Of the system; matter only for who may read them. */
const SECRETS_OF_SYSTEM = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssl/private', '/etc/krb5.keytab', '/etc/wireguard', '/etc/NetworkManager/system-connections', '/var/spool/cron', '/var/mail', '/var/spool/mail'] as const;
const HOMES = '/home';

/** A path that commands must not see. */
export interface HiddenPath { readonly path: string; readonly folder: boolean }

/** The real paths of what holds secrets and is there, folders before what is below them. `more`: the host's own. */
export async function secretPaths(more: readonly string[] = [], home: string | undefined): Promise<HiddenPath[]> {
  const others = await fs.readdir(HOMES).catch(() => []);
  const homes = new Set([homedir(), ...(home === undefined ? [] : [home]), ...others.map((name) => join(HOMES, name))].filter((path) => isAbsolute(path) && path !== '/'));
  const candidates = [
    ...[...homes].flatMap((folder) => SECRETS_OF_HOME.map((name) => join(folder, name))), ...SECRETS_OF_SYSTEM,
    ...more.map((path) => (path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path)).filter((path) => isAbsolute(path)),
  ];
  return realOnes(candidates);
}

/** What of these is there, by its real path. What lies below another of them is left out, as it is hidden with it. */
export async function realOnes(candidates: readonly string[]): Promise<HiddenPath[]> {
  const found = new Map<string, boolean>();
  await Promise.all(candidates.map(async (candidate) => {
    const path = await fs.realpath(candidate).catch(() => undefined);
    const status = path === undefined || path === '/' ? undefined : await fs.lstat(path).catch(() => undefined);
    if (path !== undefined && (status?.isDirectory() || status?.isFile())) found.set(path, status.isDirectory());
  }));
  const folders = [...found].filter(([, folder]) => folder).map(([path]) => path);
  return [...found].filter(([path]) => !folders.some((folder) => path.startsWith(`${folder}/`))).map(([path, folder]) => ({ path, folder })).sort((a, b) => (a.path < b.path ? -1 : 1));
}
