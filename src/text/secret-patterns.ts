/**
 * Shapes of keys that vendors issue, and of secrets that stand in a known frame (headers, URLs, key blocks). Where a
 * pattern has a group named `secret`, that group is the secret; otherwise the whole match is. None of them can backtrack
 * over more than a few hundred characters.
 *
 * Secrets without a shape of their own (`password=…`, `"api_key": "…"`) are found by their names, see secret-assignments.ts.
 */
export const DEFAULT_SECRET_PATTERNS: readonly RegExp[] = Object.freeze([
  // OpenAI, Anthropic and those who took over the form. A digit and a run of twelve tell them from class names such as sk-top-container.
  /(?<![A-Za-z0-9])sk-(?=[A-Za-z_-]{0,80}\d)(?=[A-Za-z0-9_-]{0,60}?[A-Za-z0-9]{12})[A-Za-z0-9_-]{20,}/g,
  // AWS access key ids.
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  // GitHub and GitLab.
  /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9_]{30,}/g,
  /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{22,}/g,
  /(?<![A-Za-z0-9])gl(?:pat|dt|rt|cbt|ptt|ft|imt|oas|soat)-[A-Za-z0-9_.-]{20,}/g,
  // Slack, Discord, Telegram.
  /(?<![A-Za-z0-9])(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{12,}/g,
  /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9/_-]{20,})/gd,
  /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(?<secret>\d{10,24}\/[A-Za-z0-9_-]{20,})/gd,
  /(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g,
  // Stripe: secret, restricted and webhook keys. Publishable ones are public.
  /(?<![A-Za-z0-9])(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/]{24,}={0,2}/g,
  // Google: API keys, OAuth access tokens and client secrets.
  /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9])(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,}/g,
  // Package registries and model hubs.
  /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36,}/g,
  /(?<![A-Za-z0-9])pypi-(?=[A-Za-z_-]{0,80}\d)(?=[A-Za-z0-9_-]{0,60}?[A-Za-z0-9]{16})[A-Za-z0-9_-]{32,}/g,
  /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}/g,
  // Mail and telephone.
  /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{30,}/g,
  // Further vendors whose prefix speaks for itself.
  /(?<![A-Za-z0-9])(?:gsk_|xai-|r8_|pplx-|tvly-|dop_v1_|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|hv[sb]\.|dckr_pat_|figd_|PMAK-|NRAK-|sbp_|sntrys_|AGE-SECRET-KEY-1)(?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{24,}/g,
  // JSON Web Tokens: three parts, five when encrypted.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+){0,2}/g,
  // Private key blocks, also cut short, and with line ends as they stand in JSON. The two frame lines stay readable.
  /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?=(?:(?!-----)[^]){0,400}?[A-Za-z0-9+/=]{20})(?<secret>(?:[A-Za-z0-9+/=\s:,.>]|\\{1,8}[nrt]|-(?!-{4}))+)/gd,
  // Headers.
  /(?<![A-Za-z0-9])Bearer\s{1,3}(?<secret>(?=[A-Za-z._~+/-]{0,120}\d)[A-Za-z0-9._~+/-]{16,}={0,2})/gdi,
  // The password of user:password@host, a template's place for one aside.
  /:\/\/[^\s/:@"'<>`\\]{0,100}:(?<secret>(?![$<{*%[])[^\s/"'<>`\\]{1,200})@/gd,
]);

/** What every pattern above needs within or right before a long run, or as a frame of its own. */
const IN_RUN = /(?<![A-Za-z0-9])(?:[sr]k[-_]|A[KSBC][IC]A|gh[pousr]_|github_p|gl[a-z]{2,4}-|xox|xapp-|whsec_|AIza|ya29\.|GOCSPX|npm_|pypi-|hf_|SK|SG\.|gsk_|xai-|r8_|pplx-|tvly-|dop_v1|shp[a-z]{2}_|lin_api|ntn_|hv[sb]\.|dckr_p|figd_|PMAK-|NRAK-|sbp_|sntrys_|AGE-S|eyJ)|:AA/;
const FRAME = /:\/\/[^\s/:@"'<>`\\]{0,100}:|earer\s|EARER\s|-----B|hooks\.sl|\/webhooks\//;
/** The shortest unbroken run of key characters that a key without a frame has. */
const SHORTEST_RUN = 13;
const CONTEXT = 8;

/**
 * False where none of {@link DEFAULT_SECRET_PATTERNS} can match. Skips most characters of plain text and looks
 * closely only at long runs of letters, digits, hyphens and underscores, because it sees all that artoo records.
 */
export function mayHoldShape(text: string): boolean {
  const last = text.length - SHORTEST_RUN;
  if (last < 0) return false;
  let start = 0;
  while (start <= last) {
    // From the window's end: a character that belongs to no key moves the window past itself.
    let index = start + SHORTEST_RUN - 1;
    while (index >= start && isKeyCharacter(text.charCodeAt(index))) index -= 1;
    if (index >= start) {
      start = index + 1;
      continue;
    }
    let end = start + SHORTEST_RUN;
    while (end < text.length && isKeyCharacter(text.charCodeAt(end))) end += 1;
    if (IN_RUN.test(text.slice(Math.max(0, start - CONTEXT), end))) return true;
    start = end + 1;
  }
  return FRAME.test(text);
}

function isKeyCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || code === 45;
}
