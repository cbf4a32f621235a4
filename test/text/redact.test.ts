import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArtooError } from '../../src/contracts/errors.js';
import { createRedactor, DEFAULT_SECRET_PATTERNS, isMasked } from '../../src/text/index.js';

const redactor = createRedactor();
const mask = (length: number): string => '█'.repeat(length);
/** Letters and digits without meaning; put together here, so that no scanner takes this file for a leak. */
const filler = (length: number, alphabet = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7'): string => Array.from({ length }, (_, index) => alphabet[(index * 7 + 3) % alphabet.length]).join('');
const hex = (length: number): string => filler(length, '0f1e2d3c4b5a69788796a5b4c3d2');
const capitals = (length: number): string => filler(length, 'A2BC3DE4FG5HJ6KL7');
const lines = (count: number, end = '\n'): string => Array.from({ length: count }, () => filler(64)).join(end);
const jwt = `ey${'J'}${filler(30)}.ey${'J'}${filler(60)}.${filler(43)}`;
const pem = (kind: string, body: string): string => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----`;

/** The text around a secret stays; each case says the secret alone. */
const secrets: readonly (readonly [name: string, text: (secret: string) => string, secret: string])[] = [
  ['an OpenAI key', (secret) => `key ${secret}.`, `sk-${filler(48)}`],
  ['an OpenAI project key', (secret) => `use ${secret} now`, `sk-proj-${filler(40)}_${filler(20)}-${filler(20)}`],
  ['an OpenAI service account key', (secret) => `(${secret})`, `sk-svcacct-${filler(60)}`],
  ['an OpenRouter key', (secret) => secret, `sk-or-v1-${hex(64)}`],
  ['an Anthropic key', (secret) => `"${secret}"`, `sk-ant-api03-${filler(80)}-${filler(10)}AA`],
  ['an AWS access key id', (secret) => `id ${secret}, region eu-west-1`, `AKIA${capitals(16)}`],
  ['an AWS temporary key id', (secret) => `[${secret}]`, `ASIA${capitals(16)}`],
  ['an AWS secret in a credentials file', (secret) => `[default]\naws_secret_access_key = ${secret}\nregion = x`, filler(40)],
  ['an AWS secret in the environment', (secret) => `export AWS_SECRET_ACCESS_KEY=${secret}\n`, `${filler(20)}/${filler(19)}`],
  ['an AWS secret in JSON', (secret) => `{"SecretAccessKey": "${secret}", "Expiration": "2025-01-01"}`, `${filler(10)}+${filler(29)}`],
  ['an AWS session token', (secret) => `AWS_SESSION_TOKEN="${secret}"`, `${filler(120)}==`],
  ['a GitHub personal token', (secret) => `git clone with ${secret} please`, `ghp_${filler(36)}`],
  ['a GitHub OAuth token', (secret) => secret, `gho_${filler(36)}`],
  ['a GitHub user token', (secret) => secret, `ghu_${filler(36)}`],
  ['a GitHub server token', (secret) => `x=${secret};`, `ghs_${filler(36)}`],
  ['a GitHub refresh token', (secret) => secret, `ghr_${filler(76)}`],
  ['a fine-grained GitHub token', (secret) => `<${secret}>`, `github_pat_${filler(22)}_${filler(59)}`],
  ['a GitLab token', (secret) => `PRIVATE: ${secret}`, `glpat-${filler(20)}`],
  ['a GitLab deploy token', (secret) => secret, `gldt-${filler(24)}`],
  ['a Slack bot token', (secret) => `slack ${secret} end`, `xoxb-${'1'.repeat(12)}-${'2'.repeat(12)}-${filler(24)}`],
  ['a Slack user token', (secret) => secret, `xoxp-${'1'.repeat(12)}-${filler(32)}`],
  ['a Slack app token', (secret) => secret, `xapp-1-A${capitals(10)}-${'3'.repeat(13)}-${hex(64)}`],
  ['a Slack webhook', (secret) => `post to https://hooks.slack.com/services/${secret} then`, `T${capitals(8)}/B${capitals(8)}/${filler(24)}`],
  ['a Discord webhook', (secret) => `https://discord.com/api/webhooks/${secret}`, `${'4'.repeat(18)}/${filler(68)}`],
  ['a Telegram bot token', (secret) => `bot ${secret} runs`, `${'5'.repeat(10)}:AA${filler(33)}`],
  ['a Stripe live key', (secret) => `stripe(${secret})`, `sk_live_${filler(24)}`],
  ['a restricted Stripe key', (secret) => secret, `rk_live_${filler(24)}`],
  ['a Stripe webhook secret', (secret) => `check with ${secret} first`, `whsec_${filler(32)}`],
  ['a Google API key', (secret) => `?key=${secret}&q=1`, `AIza${filler(35)}`],
  ['a Google access token', (secret) => secret, `ya29.${filler(60)}`],
  ['a Google client secret', (secret) => secret, `GOCSPX-${filler(28)}`],
  ['an npm token', (secret) => `//registry/:_authToken=${secret}\n`, `npm_${filler(36)}`],
  ['a PyPI token', (secret) => `upload with ${secret}`, `pypi-${filler(100)}`],
  ['a Hugging Face token', (secret) => secret, `hf_${filler(34)}`],
  ['a Twilio key', (secret) => `sid ${secret} ok`, `SK${hex(32)}`],
  ['a SendGrid key', (secret) => `mail: ${secret}`, `SG.${filler(22)}.${filler(43)}`],
  ['a Groq key', (secret) => secret, `gsk_${filler(52)}`],
  ['a JSON Web Token', (secret) => `cookie is ${secret} today`, jwt],
  ['a token in a header', (secret) => `Authorization: Bearer ${secret}\r\nAccept: */*`, filler(40)],
  ['a token in a header in capitals', (secret) => `AUTHORIZATION: BEARER ${secret}`, filler(24)],
  ['basic credentials', (secret) => `curl -H 'Authorization: Basic ${secret}' https://x.example`, 'dXNlcjpodW50ZXIy'],
  ['a header in JSON', (secret) => `{"headers":{"Authorization":"Bearer ${secret}"}}`, filler(30)],
  ['a header in JSON within JSON', (secret) => JSON.stringify({ body: JSON.stringify({ authorization: `Bearer ${secret}` }) }), filler(30)],
  ['a token of another scheme', (secret) => `authorization: Token ${secret}`, hex(40)],
  ['a token after Bearer alone', (secret) => `send "Bearer ${secret}" with it`, filler(32)],
  ['a proxy header', (secret) => `Proxy-Authorization: Basic ${secret}`, 'dXNlcjpodW50ZXIyMTIz'],
  ['an API key header', (secret) => `X-Api-Key: ${secret}`, hex(32)],
  ['a password in a URL', (secret) => `postgres://app:${secret}@db.example:5432/main`, 'hunter2'],
  ['a password in a URL without user', (secret) => `redis://:${secret}@cache.example:6379`, 'correct.horse'],
  ['a password with an at sign in a URL', (secret) => `https://user:${secret}@host.example/a`, 'p@ss'],
  ['password= in text', (secret) => `log in with password=${secret} and go`, 'hunter2'],
  ['a connection string', (secret) => `Server=db;User Id=sa;Password=${secret};Encrypt=true`, 'swordfish'],
  ['a query', (secret) => `https://x.example/a?user=b&token=${secret}&c=1`, filler(24)],
  ['PASSWORD= in an environment file', (secret) => `PORT=1\nDB_PASSWORD=${secret}\nHOST=x`, 'p@ss;word&1'],
  ['an environment file within JSON', (secret) => JSON.stringify({ content: `PORT=1\nDB_PASSWORD=${secret}\nHOST=x` }), 'swordfish'],
  ['PGPASSWORD', (secret) => `PGPASSWORD=${secret} psql -h x`, 'swordfish'],
  ['api_key: in YAML', (secret) => `server:\n  api_key: ${secret}\n  port: 80`, hex(20)],
  ['password: in YAML', (secret) => `db:\n  password: ${secret}\n`, 'hunter2!'],
  ['"password" in JSON', (secret) => `{"user":"x","password":"${secret}","port":5}`, 'swordfish'],
  ['"password" in indented JSON', (secret) => JSON.stringify({ password: secret, port: 5 }, null, 2), 'swordfish'],
  ['"client_secret" in JSON', (secret) => `{"client_secret": "${secret}"}`, 'rather-plain'],
  ['"apiKey" in JSON within JSON', (secret) => JSON.stringify({ text: JSON.stringify({ apiKey: secret }) }), filler(20)],
  ['a key in a constant', (secret) => `const API_KEY = '${secret}';`, hex(24)],
  ['a token in code', (secret) => `env["GITHUB_TOKEN"] = "${secret}"`, hex(40)],
  ['an option', (secret) => `deploy --token ${secret} --force`, hex(30)],
  ['an option with =', (secret) => `mysql --password=${secret} db`, 'hunter2'],
  ['a storage key', (secret) => `AccountName=x;AccountKey=${secret};EndpointSuffix=y`, `${filler(60)}`],
  ['an RSA key', (secret) => `-----BEGIN RSA PRIVATE KEY-----${secret}-----END RSA PRIVATE KEY-----`, `\n${lines(12)}\n`],
  ['an encrypted key', (secret) => `-----BEGIN RSA PRIVATE KEY-----${secret}-----END RSA PRIVATE KEY-----`, `\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${hex(32)}\n\n${lines(8)}\n`],
  ['an OpenSSH key', (secret) => `-----BEGIN OPENSSH PRIVATE KEY-----${secret}-----END OPENSSH PRIVATE KEY-----`, `\r\n${lines(5, '\r\n')}\r\n`],
  ['a key in JSON', (secret) => `{"key_pem":"-----BEGIN PRIVATE KEY-----${secret}-----END PRIVATE KEY-----\\n"}`, `\\n${lines(6, '\\n')}\\n`],
  ['a key that was cut', (secret) => `-----BEGIN EC PRIVATE KEY-----${secret}`, `\n${lines(2)}`],
  ['a PGP key', (secret) => `-----BEGIN PGP PRIVATE KEY BLOCK-----${secret}-----END PGP PRIVATE KEY BLOCK-----`, `\n\n${lines(4)}\n=aB3d\n`],
];

const harmless: readonly (readonly [name: string, text: string])[] = [
  ['a git hash', 'commit d0dd0e0c0ffee1234567890abcdef1234567890a by someone'],
  ['a short hash', 'fixed in 1402fda and 50c606d'],
  ['a UUID', 'id 123e4567-e89b-12d3-a456-426614174000'],
  ['a task id in a record', '{"id":"task-1:17","taskId":"task-0f1e2d3c4b5a6978","causeId":"task-1:16"}'],
  ['SHA-256', `sha256:${hex(64)}`],
  ['an integrity string', `"integrity": "sha512-${filler(86)}=="`],
  ['a locked package', `"node_modules/token-types": {"version":"6.0.0","resolved":"https://registry.example/token-types-6.0.0.tgz","integrity":"sha512-${filler(86)}=="}`],
  ['an image', `<img src="data:image/png;base64,${filler(200)}">`],
  ['a long base64 text', `${filler(4_000)}==`],
  ['a hyphenated class', 'class="sk-top-container sk-estimator-documentation-link sk-container-id-1"'],
  ['a task named sk', 'risk-assessment-2024-final-version-for-everyone and disk-usage-report-2024'],
  ['scikit', 'pip install sk-learn sk-video==1.1.10'],
  ['a public Stripe key', `pk_live_${filler(24)}`],
  ['an npm setting', 'npm_config_registry npm_package_json npm_lifecycle_event'],
  ['a package name', 'pypi-simple and pypi-attestations are packages'],
  ['a hyphenated word', 'glpat is a prefix, as are ghp_ and xoxb- and AKIA and sk-'],
  ['AKIA in a longer word', `X${'AKIA'}${capitals(30)}`],
  ['a public key', pem('PUBLIC KEY', lines(6))],
  ['a certificate', pem('CERTIFICATE', lines(12))],
  ['words about a key block', 'A file that begins with -----BEGIN PRIVATE KEY----- is a key; keep it out of the tree.'],
  ['prose: password', 'password: see the wiki'],
  ['prose: the password is', 'The password is asked for at the door. Password: required for everyone.'],
  ['prose: token', 'Each token: a word or a part of one. A token costs little; tokens=512, max_tokens: 4096.'],
  ['prose: secret', 'The secret: patience. Their secret = time.'],
  ['prose: authorization', 'authorization: needed for each action. Authorization is asked. Authorization: none'],
  ['prose: bearer', 'Bearer authentication sends a token; the bearer of this letter'],
  ['prose: keys', 'primary key: id, foreign key: user_id; sort key: created_at'],
  ['code: a call', 'const token = getToken(); const secret = readSecret(name, 12);'],
  ['code: a member', 'password = config.password; this.token = options.token ?? other.token2;'],
  ['code: an index', 'token = tokens[index]; password=rows[0];'],
  ['code: a type', 'interface Login { readonly password: string; token?: string; apiKey: string | undefined }'],
  ['code: a parameter', 'function login(user: string, password: Password, token: AccessToken): void {}'],
  ['code: a default', 'constructor(secret = "", token = null, password = undefined) {}'],
  ['code: an environment variable', 'apiKey: process.env.API_KEY, token: os.environ["TOKEN"], password: env.DB_PASSWORD2'],
  ['code: minified', 'function(e,t){var n=e.password=t,token=r(n);return{secret:i,token:o,apiKey:a.b}}'],
  ['code: a comparison', 'if (token === end || token.type == "comma" || password !== other) return;'],
  ['code: a token of a parser', "{ type: 'token', token: 'comma', secret: 'read', key: 'value' }"],
  ['code: a set of options', '<input type="password" autocomplete="current-password" name="password">'],
  ['code: arrow', 'const hash = (password) => sha256(password); tokens.map((token) => token.text1)'],
  ['code: CSS', '.token.keyword{color:#07a}.token.string{color:#690}'],
  ['a template', 'postgres://${user}:${password}@host and password=${PASSWORD} and token=<token>'],
  ['a workflow', 'token: ${{ secrets.GITHUB_TOKEN }}\npassword: "{{ vault_password }}"'],
  ['a shell variable', 'TOKEN=$TOKEN PASSWORD="$DB_PASSWORD" API_KEY=$(cat key) run'],
  ['a dummy', 'API_KEY=your-api-key\nTOKEN=xxxxxxxx\nPASSWORD=changeme\nSECRET=<secret>'],
  ['a mask', 'password=****** token=[hidden] secret=...'],
  ['a path to a secret', 'secret: /run/secrets/db_password1\ntoken: "./tokens/main2.txt" key=~/.ssh/id_ed25519'],
  ['a URL under a secret name', '"token": "https://auth.example/v2/token1234"'],
  ['a port', 'http://localhost:8080/path@2x.png and ssh://git@host.example:22/a'],
  ['an at sign later', 'see http://x.example: then write to me@y.example'],
  ['an e-mail', 'mailto:someone@example.org, someone+token@example.org'],
  ['times', 'between 12:30:45 and 2025-03-01T10:00:00Z, ratio 3:4'],
  ['a phone number', 'call 0049 30 1234567:AA'],
  ['a token count', '{"usage":{"promptTokens":1200,"completionTokens":340},"token":7}'],
  ['a short page token', '{"nextPageToken":"CAUQAA"}'],
  ['Chinese', '密码：请看说明。令牌 token：无。密钥由管理员保管。'],
  ['Chinese with numbers', '共有1234个文件，大小为5.6MB，密码长度至少8位'],
  ['German', 'Passwort: siehe Wiki. Das Token: ein Wort. Der Schlüssel liegt dort.'],
  ['emoji', '🔑 password: 🙈 and token: 🎟️'],
  ['a long identifier', 'createVeryLongIdentifierThatGoesOnAndOn_withUnderscores_andMore2'],
  ['a long hyphenated slug', 'how-to-write-a-library-in-2024-that-everyone-can-read-and-use'],
  ['a semver list', '{"pbkdf2-password": "1.2.1", "csrf-token": "^3.1.0"} token-types@6.0.0, secret-stack@8.1.0'],
  ['three dotted parts', 'www.example.com, a.b.c, eyJ.eyJ.x, node.js.org'],
  ['a validation message', '{"password":"must be at least 8 characters","token":"is required"}'],
  ['a schema', '{"properties":{"password":{"type":"string"},"token":{"type":"string"}}}'],
  ['a log line', '[12:00:01] INFO auth token expired=true refresh=false key=user:17'],
  ['a question', 'Which password? --password asks for one; --token FILE reads it.'],
];

describe('redact', () => {
  test('the tables are as long as they should be', () => expect([secrets.length >= 60, harmless.length >= 60]).toEqual([true, true]));

  test.each(secrets)('masks %s, and nothing around it', (_, text, secret) => {
    expect(redactor.text(text(secret))).toBe(text(mask(secret.length)));
    expect(isMasked(redactor.text(text(filler(0) + secret)))).toBe(secret.length >= 8);
  });

  test.each(harmless)('leaves %s as it is', (_, text) => expect(redactor.text(text)).toBe(text));

  test('this repository holds nothing that looks like a secret, but what a page gives as an example', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const files = execFileSync('find', ['src', 'docs', 'examples', 'package.json', 'package-lock.json', 'README.md', 'CHANGELOG.md', '-type', 'f'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    const hits = files.flatMap((file) => {
      const before = readFileSync(`${root}/${file}`, 'utf8').split('\n');
      const after = redactor.text(before.join('\n')).split('\n');
      return after.length === before.length ? after.flatMap((line, index) => (line === before[index] ? [] : [`${file}: ${line.trim()}`])) : [`${file}: a block`];
    });
    expect(hits.filter((hit) => !hit.startsWith('docs/'))).toEqual([]);
    expect(hits.length, hits.join('\n')).toBeLessThanOrEqual(5);
    expect(files.length).toBeGreaterThan(100);
  });
});

describe('a mask', () => {
  const fragments = [...secrets.map(([, text, secret]) => text(secret)), ...harmless.map(([, text]) => text), '█', '█████████', ' ', '"', '\\', '\n', ':', '=', 'sk-', 'eyJ', '://', 'password', filler(40)];

  test('has the length of the secret, keeps valid JSON valid, and masking twice changes nothing more', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom(...fragments), { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      const once = redactor.text(text);
      expect(once).toHaveLength(text.length);
      expect(redactor.text(once)).toBe(once);
      const json = JSON.stringify({ text, deep: [JSON.stringify({ text })] });
      expect(() => { JSON.parse(redactor.text(json)); }).not.toThrow();
    }), { seed: 7, numRuns: 1_500 });
  });

  test('is recognised from eight characters on', () => expect([isMasked(mask(7)), isMasked(`a${mask(8)}b`), isMasked(`${mask(4)} ${mask(4)}`), isMasked('')]).toEqual([false, true, false, false]));

  test('covers characters of two code units whole', () => {
    const { text } = createRedactor([/\ude00/]);
    expect(text('a😀b')).toBe('a██b');
  });
});

describe('redaction of values', () => {
  const key = `ghp_${filler(36)}`;

  test('nothing to mask: the same reference, at every depth', () => {
    const value = Object.freeze({ a: [1, 'two', null, { b: true }], c: { d: 'plain' } });
    expect(redactor.value(value)).toBe(value);
    expect(redactor.finds(value)).toBe(false);
  });

  test('what did not change is shared, and nothing is written to', () => {
    const value = Object.freeze({ same: Object.freeze({ x: 1 }), list: Object.freeze(['a', key]), text: 'b' });
    const masked = redactor.value(value);
    expect(masked).toEqual({ same: { x: 1 }, list: ['a', mask(key.length)], text: 'b' });
    expect(masked.same).toBe(value.same);
    expect(redactor.value(masked)).toBe(masked);
    expect(redactor.finds(value)).toBe(true);
  });

  test('a property whose name says so is a secret, whatever its text looks like', () => {
    expect(redactor.value({ db: { password: 'swordfish', port: 1 }, client_secret: 'rather-plain', Authorization: `Bearer ${key}x`, token: 'comma', password_hint: 'fish' }))
      .toEqual({ db: { password: mask(9), port: 1 }, client_secret: mask(12), Authorization: `Bearer ${mask(41)}`, token: 'comma', password_hint: 'fish' });
  });

  test('the value and its JSON are masked alike', () => {
    for (const value of [{ password: 'swordfish' }, { api_key: hex(20) }, { secret: 'a "quoted" \\ one' }, { authorization: 'Basic dXNlcjpodW50ZXIy' }, { token: 'comma' }, { text: `password="${'x'.repeat(9)}"` }]) {
      expect(JSON.parse(redactor.text(JSON.stringify(value)))).toEqual(redactor.value(value));
    }
  });

  test('keys are masked too, and two of one length stay two', () => {
    const other = `ghp_${filler(36).toUpperCase()}`;
    expect(redactor.value({ [key]: 1, [other]: 2, x: 3 })).toEqual({ [mask(40)]: 1, [mask(41)]: 2, x: 3 });
  });

  test('a key named __proto__ stays a key', () => {
    const masked = redactor.value(JSON.parse(`{"__proto__":{"polluted":"${key}"},"a":1}`) as Record<string, unknown>);
    expect(Object.keys(masked)).toEqual(['__proto__', 'a']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(JSON.stringify(masked)).toBe(`{"__proto__":{"polluted":"${mask(40)}"},"a":1}`);
  });

  test('circles, depth, getters that throw and what is no JSON end in something harmless', () => {
    const circular: Record<string, unknown> = { key };
    circular['self'] = circular;
    expect(redactor.value(circular)).toEqual({ key: mask(40), self: '[circular]' });
    let deep: unknown = key;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(redactor.value(deep))).toContain('[too deep]');
    expect(redactor.value({ get bad(): string { throw new Error(key); } })).toBe('[unreadable]');
    expect(redactor.value(new Map([['a', key]]))).toEqual(new Map([['a', mask(40)]]));
    expect(redactor.value(new Error(`no ${key}`))).toEqual({ name: 'Error', message: `no ${mask(40)}` });
    expect(redactor.value({ own: { toJSON: () => ({ key }) } })).toEqual({ own: { key: mask(40) } });
    for (const plain of [undefined, null, 1, 1n, true, new Date(0), new Uint8Array(3)]) expect(redactor.value(plain)).toBe(plain);
  });
});

describe("a host's patterns", () => {
  test('come on top of the common ones; false masks nothing', () => {
    const own = createRedactor([/EMP-\d{3}/, 'the (quiet) harbour']);
    expect(own.text(`EMP-123 in the (quiet) harbour, ghp_${filler(36)}`)).toBe(`${mask(7)} in ${mask(19)}, ${mask(40)}`);
    const off = createRedactor(false);
    const value = { password: 'swordfish' };
    expect([off.text(`ghp_${filler(36)}`), off.value(value), off.finds(value)]).toEqual([`ghp_${filler(36)}`, value, false]);
  });

  test.each<[RegExp, string, string]>([
    [/b/, 'abab', 'a█a█'], [/b/y, 'abab', 'a█a█'], [/b/gi, 'aBab', 'a█a█'], [/x*/, 'axx', 'a██'], [/(?:)/u, '😀', '😀'], [/^/m, 'a\nb', 'a\nb'], [/id=(?<secret>\d+)/, 'id=12;', 'id=██;'], [/(?<=█)b|a/, 'abbb', '████'],
  ])('%s over %j gives %j, and does so again', (pattern, text, expected) => {
    const { text: redact } = createRedactor([pattern]);
    expect([redact(text), redact(text)]).toEqual([expected, expected]);
    expect(pattern.lastIndex).toBe(0);
  });

  test.each<[unknown]>([[['']], [[1]], [[null]], ['text'], [true], [{}], [[{ source: 'x' }]]])('%j is refused with a hint', (patterns) => {
    const attempt = (): unknown => createRedactor(patterns as never);
    expect(attempt).toThrow(/redact/);
    try { attempt(); } catch (error) { expect([ArtooError.is(error, 'ARTOO_INVALID_CONFIG'), (error as ArtooError).hint]).toEqual([true, expect.stringContaining('Pass')]); }
  });

  test('the common ones can be read, and not changed', () => {
    expect(DEFAULT_SECRET_PATTERNS.length).toBeGreaterThan(15);
    expect(Object.isFrozen(DEFAULT_SECRET_PATTERNS)).toBe(true);
  });
});

describe('a megabyte of hostile text', () => {
  const million = (part: string): string => part.repeat(Math.ceil(1_000_000 / part.length));

  test.each([
    'sk-', 'sk-a1', 'password=', 'password="', 'password: ', '"password":"', '-----BEGIN', '-----BEGIN PRIVATE KEY-----', `-----BEGIN PRIVATE KEY-----\n${'a'.repeat(15)} `, 'a', '-', '_', 'A', '1', '0:AA', 'eyJ', 'eyJaaaaaaaaaaaaa.', 'eyJaaaaaaaaaaaaa.a',
    '://', '://a:', '://a:b', 'a://b:c', 'Bearer ', 'Bearer a', 'Authorization: ', 'authorization: Basic ', 'SG.', `SG.${'a'.repeat(40)}.`, 'ghp_', 'AKIA', 'hooks.slack.com/services/', '\\', '"', '\\"', 'token="\\', 'secret:\\"', '--', '--a', '--token ', '--token', 'pwd=a', ' = ', ' ', '\n', 'token:   ', '█', 'A_', 'API_KEY=', 'pypi-', 'gsk_a', 'xoxb-', '😀',
  ])('%j repeated ends, keeps its length, and masks once', (part) => {
    const text = million(part);
    const masked = redactor.text(text);
    expect(masked).toHaveLength(text.length);
  }, 20_000);
});
