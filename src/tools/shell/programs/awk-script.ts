/** Names that run something, load something, or write. */
const RUNS = /^(?:system|close|fflush|load|include|namespace|nextfile)$/;
const HARMLESS_CALLS = /^(?:close|fflush|nextfile)$/;

interface Token { readonly kind: 'word' | 'text' | 'operator'; readonly value: string }

/** Why an awk program isn't harmless; undefined when it only computes and prints. What can't be followed counts as harmful. */
export function harmInAwk(program: string): string | undefined {
  const tokens = tokenize(program);
  if (!tokens) return 'a part of it can\'t be read';
  let depth = 0;
  let printing = -1;
  let open = false;
  for (const [index, { kind, value }] of tokens.entries()) {
    const next = tokens[index + 1];
    const goesOn = open;
    if (value !== '\n') open = kind === 'operator' && /^(?:,|&&|\|\|)$/.test(value);
    if (kind === 'word') {
      if (RUNS.test(value) && !HARMLESS_CALLS.test(value)) return `${value} runs or loads something`;
      if (value === 'getline' && next?.value === '<' && tokens[index + 2]?.kind !== 'text') return 'it reads from where can\'t be read from the text';
      if (value === 'print' || value === 'printf') printing = depth;
    }
    if (kind === 'text' && /^\/inet/.test(value)) return 'it opens a network connection';
    if (kind !== 'operator') continue;
    if (value === '(' || value === '[') depth += 1;
    else if (value === ')' || value === ']') depth -= 1;
    else if (value === '|' || value === '|&') return 'it runs a command through a pipe';
    else if (value === '@') return 'it loads or calls what can\'t be read';
    // After a comma or a logical operator a statement goes on in the next line.
    else if (value === '\n' && goesOn) continue;
    else if (value === ';' || value === '\n' || value === '}' || value === '{') printing = -1;
    else if ((value === '>' || value === '>>') && printing >= 0 && depth <= printing && !(next?.kind === 'text' && /^\/dev\/(?:stderr|stdout|null)$/.test(next.value) && /^[;}\n]?$/.test(tokens[index + 2]?.value ?? ''))) return 'it writes a file';
  }
  return undefined;
}

function tokenize(program: string): Token[] | undefined {
  const tokens: Token[] = [];
  let unread = 0;
  let at = 0;
  while (at < program.length) {
    const rest = program.slice(at);
    const blank = /^(?:[ \t\r]+|#[^\n]*|\\\n)/.exec(rest);
    if (blank) {
      at += blank[0].length;
      continue;
    }
    const text = /^"((?:[^"\\\n]|\\[^])*)"/.exec(rest);
    const last = tokens.at(-1);
    const before = last === undefined || (last.kind === 'operator' && !/^[)\]]$/.test(last.value) && last.value !== '$') || (last.kind === 'word' && /^(?:return|print|printf|in|case|else|do)$/.test(last.value));
    // A slash there may divide or begin a pattern; that matters when the pattern would hide what stands in it.
    const unsure = last !== undefined && (/^(?:\)|\+\+|--|exit|getline|delete)$/.test(last.value) || (last.kind === 'word' && /^(?:while|if|for|printf?|return)$/.test(last.value)));
    if (unsure && rest.startsWith('/')) {
      unread += 1;
      const line = rest.slice(1, rest.indexOf('\n') + 1 || undefined);
      if (unread > 20 || /["#;{}>|\\[]/.test(line.slice(0, Math.max(0, line.lastIndexOf('/'))))) return undefined;
    }
    const pattern = before ? /^\/(?:[^/\\\n[]|\\.|\[\^?\]?(?:[^\]\\\n]|\\.)*\])*\//.exec(rest) : null;
    const word = /^(?:[A-Za-z_]\w*|\d+(?:\.\d*)?|\.\d+)/.exec(rest);
    const operator = /^(?:>>|>=|<=|==|!=|!~|&&|\|\||\|&|\+\+|--|[-+*/%^]=|[-+*/%^!<>|?:~$=(){}[\],;@\n])/.exec(rest);
    const token: Token | undefined = text ? { kind: 'text', value: text[1]! } : pattern ? { kind: 'text', value: ' ' } : word ? { kind: 'word', value: word[0] } : operator ? { kind: 'operator', value: operator[0] } : undefined;
    if (!token) return undefined;
    tokens.push(token);
    at += (text ?? pattern ?? word ?? operator)![0].length;
  }
  return tokens;
}
