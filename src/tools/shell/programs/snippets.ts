/** Words that a harmless one-liner may use, by language. Anything else, and indexing (which reaches everything), is refused. */
const JAVASCRIPT = new Set(`console log error JSON stringify parse Math max min round floor ceil abs pow sqrt PI random Date now toISOString getTime getFullYear String Number Boolean Array from isArray length keys values entries Object
process version versions node v8 platform arch cwd uptime memoryUsage hrtime true false null undefined new typeof const let var map filter join split slice trim toUpperCase toLowerCase toFixed toString includes startsWith endsWith
repeat padStart padEnd indexOf reverse sort reduce concat fill x y i n a b s v scripts dependencies devDependencies name require os cpus totalmem freemem hostname type release e`.split(/\s+/));
const PYTHON = new Set(`print len range sum min max abs round sorted reversed str int float bool list dict set tuple enumerate zip import sys math json os version version_info platform system machine python_version executable maxsize
dumps loads load stdin read indent sort_keys True False None for in if else and or not lambda upper lower strip split join replace startswith endswith pi sqrt floor ceil pow log datetime date time now today isoformat strftime
random getcwd sep from as x y i n a b s line d data statistics mean median string ascii_letters digits base64 b64encode b64decode encode decode hashlib md5 sha256 sha1 hexdigest urllib parse quote unquote uuid uuid4 secrets token_hex textwrap dedent calendar isleap`.split(/\s+/));
const REQUIRES = /\brequire\((["'])(?:[\w./-]*\.json|(?:node:)?(?:os|path|util))\1\)/g;

/** Whether a piece of JavaScript only computes and prints. */
export function isHarmlessJavaScript(code: string): boolean {
  const rest = withoutTexts(code.replace(REQUIRES, 'os'));
  return rest !== undefined && !/[`[\]\\#@]|=>?\s*>|\brequire\b/.test(rest.replace(/=>/g, '')) && onlyWords(rest, JAVASCRIPT);
}

/** Whether a piece of Python only computes and prints. */
export function isHarmlessPython(code: string): boolean {
  // A text with a letter before it may hold code or odd escapes.
  if (/(?:^|[^\w])[fFuUbBrR]{1,2}["']/.test(code.replace(/\bb(["'])/g, '$1'))) return false;
  const rest = withoutTexts(code);
  return rest !== undefined && !/[`\\@\[\]]|:=/.test(rest.replace(/\[\s*-?\d*(?::-?\d*)?\s*\]/g, '').replace(/\[[^[\]]*\bfor\b[^[\]]*\]/g, (inner) => inner.slice(1, -1)).replace(/(^|[(,=\s])\[([\d\s,."' ]*)\]/g, '$1')) && onlyWords(rest, PYTHON);
}

/** Whether a query only reads. */
export function isHarmlessQuery(query: string): boolean {
  const rest = withoutTexts(query);
  if (rest === undefined) return false;
  const plain = rest.trim().replace(/;\s*$/, '');
  if (/;|--|\/\*|\\|^\s*\.(?!tables$|schema(?: \w+)?$|databases$|indexes$|version$)/m.test(plain)) return false;
  if (/^\.\w+(?: \w+)?$/.test(plain)) return true;
  const calls = [...plain.matchAll(/\b(\w+)\s*\(/g)].map((match) => match[1]!.toLowerCase());
  const known = /^(?:count|sum|avg|min|max|length|lower|upper|round|abs|coalesce|substr|date|datetime|strftime|in|over|and|or|where|as|from|values|exists|now|version|distinct)$/;
  return /^(?:select|show|describe|explain\s+select|pragma\s+(?:table_info\(\w+\)|user_version|integrity_check|quick_check)$)\b/i.test(plain) && !/\b(?:into|for\s+update|outfile|dumpfile)\b/i.test(plain) && (calls.every((call) => known.test(call)) || /^pragma/i.test(plain));
}

/** The code with each text replaced; undefined when one doesn't end. */
function withoutTexts(code: string): string | undefined {
  const rest = code.replace(/'(?:[^'\\\n]|\\[^\n])*'|"(?:[^"\\\n]|\\[^\n])*"/g, ' "" ');
  return /['"]/.test(rest.replace(/ "" /g, '')) ? undefined : rest.replace(/ "" /g, ' ');
}

function onlyWords(code: string, words: ReadonlySet<string>): boolean {
  return [...code.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)].every(([word]) => words.has(word));
}
