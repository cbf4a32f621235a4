/** Words that a harmless one-liner may use, by language. Anything else, and indexing (which reaches everything), is refused. */
const JAVASCRIPT = new Set(`console log error JSON stringify parse Math max min round floor ceil abs pow sqrt PI random Date now toISOString getTime getFullYear String Number Boolean Array from isArray length keys values entries Object
process version versions node v8 platform arch cwd uptime memoryUsage hrtime true false null undefined new typeof const let var map filter join split slice trim toUpperCase toLowerCase toFixed toString includes startsWith endsWith
repeat padStart padEnd indexOf reverse sort reduce concat fill x y i n a b s v scripts dependencies devDependencies name require os cpus totalmem freemem hostname type release e env for of if else size isDirectory isFile mtime flat flatMap every some find findIndex slice at match matchAll replace replaceAll test localeCompare assign fromEntries Set Map Symbol BigInt isNaN isFinite toLocaleString toString getMonth getDate getDay getHours performance argv0 execPath path basename dirname extname resolve relative inspect break continue`.split(/\s+/));
const PYTHON = new Set(`print len range sum min max abs round sorted reversed str int float bool list dict set tuple enumerate zip import sys math json os version version_info platform system machine python_version executable maxsize
dumps loads load stdin read indent sort_keys True False None for in if else and or not lambda upper lower strip split join replace startswith endswith pi sqrt floor ceil pow log datetime date time now today isoformat strftime
random getcwd sep from as x y i n a b s line d data statistics mean median string ascii_letters digits base64 b64encode b64decode encode decode hashlib md5 sha256 sha1 hexdigest urllib parse quote unquote uuid uuid4 secrets token_hex textwrap dedent calendar isleap rstrip lstrip splitlines count index items keys values get readlines listdir environ exists isfile isdir basename dirname argv collections Counter most_common itertools csv reader re findall search group isdigit isalpha title capitalize zfill ljust rjust chr ord hex bin oct divmod isinstance any all reduce functools randint choice sample shuffle seed glob fromtimestamp timedelta days year month day total_seconds release node machine processor getpid cpu_count byteorder path`.split(/\s+/));
/** Reads of files by a name that stands there. */
const READS_JAVASCRIPT = /\brequire\((["'])(?:node:)?fs\1\)\.(?:readFileSync|existsSync|readdirSync|statSync)\((?:["'][\w./-]+["'])(?:, ?["']utf-?8["'])?\)/g;
const READS_PYTHON = /\bopen\((["'])[\w./-]+\1(?:, ?["']rb?["'])?\)/g;
const MODULES_PYTHON = /^(?:sys|math|json|os(?:\.path)?|datetime|time|random|statistics|string|base64|hashlib|urllib\.parse|uuid|secrets|textwrap|calendar|collections|itertools|csv|re|functools|glob|platform|getpass|__future__)$/;
const REQUIRES = /\brequire\((["'])(?:[\w./-]*\.json|(?:node:)?(?:os|path|util))\1\)/g;

/** Whether a piece of JavaScript only computes and prints. */
export function isHarmlessJavaScript(code: string): boolean {
  const rest = withoutTexts(code.replace(READS_JAVASCRIPT, 'os').replace(/\bprocess\.env\.[A-Z][A-Z0-9_]*\b/g, 'os').replace(REQUIRES, 'os').replace(/([(,=]|\bof)\s*\[[\d\s,.]*\]/g, '$1'));
  return rest !== undefined && !/[`[\]\\#@]|=>?\s*>|\brequire\b/.test(rest.replace(/=>/g, '')) && onlyWords(rest, JAVASCRIPT);
}

/** Whether a piece of Python only computes and prints. */
export function isHarmlessPython(code: string): boolean {
  // A text with a letter before it may hold code or odd escapes.
  if (/(?:^|[^\w])[fFuUbBrR]{1,2}["']/.test(code.replace(/\bb(["'])/g, '$1'))) return false;
  // A module that isn't python's own is a file here; so it is when the places to look, or what a name means, were changed.
  const imports = [...code.matchAll(/\b(?:import|from)\b\s*([^;\n]*)/g)].map((match) => match[1]!.split(/\bimport\b/)[0]!);
  if (imports.some((names) => !names.split(',').every((name) => MODULES_PYTHON.test(name.trim())))) return false;
  if (/\bsys\s*\.\s*path\b|\bsys\s+import\b|\.\s*\w+\s*(?:[-+*/|&^%]|\/\/|\*\*|<<|>>)?=(?!=)/.test(code)) return false;
  const rest = withoutTexts(code.replace(READS_PYTHON, 'stdin'));
  return rest !== undefined && !/[`\\@\[\]]|:=/.test(rest.replace(/\[\s*-?\d*(?::-?\d*)?\s*\]/g, '').replace(/\[[^[\]]*\bfor\b[^[\]]*\]/g, (inner) => inner.slice(1, -1)).replace(/(^|[(,=\s])\[([\d\s,."' ]*)\]/g, '$1')) && onlyWords(rest, PYTHON);
}

/** Whether a query only reads. */
export function isHarmlessQuery(query: string): boolean {
  // A name in quotes may be called like any other, and texts between dollars or with backslashes end elsewhere.
  if (/["'`\]]\s*\(|\$\w*\$|\\/.test(query)) return false;
  const rest = withoutTexts(query);
  if (rest === undefined) return false;
  const plain = rest.trim().replace(/;\s*$/, '');
  if (/;|--|\/\*|\\|^\s*\.(?!tables?(?: [\w%]+)?$|tables$|schema(?: \w+)?$|databases$|ind(?:exes|ices)(?: \w+)?$|version$|dump(?: \w+)?$|dbinfo$)/m.test(plain)) return false;
  if (/^\.\w+(?: \w+)?$/.test(plain)) return true;
  const calls = [...plain.matchAll(/\b(\w+)\s*\(/g)].map((match) => match[1]!.toLowerCase());
  const known = /^(?:count|sum|avg|min|max|length|lower|upper|round|abs|coalesce|substr|date|datetime|strftime|in|over|and|or|where|as|from|values|exists|now|version|distinct|upper|replace|trim|ltrim|rtrim|instr|printf|format|concat|group_concat|string_agg|array_agg|json_extract|json_object|json_array|json_group_array|jsonb?_build_object|row_to_json|to_char|to_date|date_trunc|extract|cast|ifnull|nullif|iif|if|total|hex|quote|typeof|random|row_number|rank|dense_rank|lag|lead|ntile|julianday|unixepoch|greatest|least|current_database|current_user|pg_size_pretty|pg_database_size|pg_total_relation_size|pg_relation_size|datediff|date_format|curdate|year|month|day|on|using|by|all|any|filter|having|limit|union|except|intersect|not|then|else|when|select|table_info|index_list|foreign_key_list)$/;
  return /^(?:select|show|describe|explain\s+(?:analyze\s+)?select|explain\s+query\s+plan\s+select)\b|^pragma\s+(?:(?:table_info|table_xinfo|index_list|index_info|foreign_key_list)\(\s*\w*\s*\)|table_list|database_list|page_count|page_size|user_version|integrity_check|quick_check)$/i.test(plain) && !/\b(?:into|for\s+update|outfile|dumpfile)\b/i.test(plain) && (calls.every((call) => known.test(call)) || /^pragma/i.test(plain));
}

/** The code with each text replaced; undefined when one doesn't end. */
function withoutTexts(code: string): string | undefined {
  const rest = code.replace(/'(?:[^'\\\n]|\\[^\n])*'|"(?:[^"\\\n]|\\[^\n])*"/g, ' "" ');
  return /['"]/.test(rest.replace(/ "" /g, '')) ? undefined : rest.replace(/ "" /g, ' ');
}

function onlyWords(code: string, words: ReadonlySet<string>): boolean {
  return [...code.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)].every(([word]) => words.has(word));
}
