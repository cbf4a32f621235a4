// Says whether an AppleScript only reads. Closed: each line must have a known form and each word must be known, because
// what sends, changes or deletes is an open list, and one that a dictionary of any application makes longer.

/** Applications whose properties can be read without an effect. */
const APPLICATIONS = new Set(['mail', 'calendar', 'reminders', 'notes', 'contacts', 'finder', 'safari', 'music', 'photos', 'messages', 'system events']);
/** What expressions are made of: no verb but get, count and exists. */
const WORDS = new Set(`
  of the in whose where is are was be isn't not and or equal equals to than greater less contains contain begins begin starts ends with doesn't does within
  as text string integer real number list record date boolean every each all some first second third fourth fifth last front back middle item items through thru from before after it its me my beginning
  true false missing value current get count exists length class contents reverse rest properties paragraph paragraphs word words character characters return tab space linefeed quote result
  minutes minute hours hour days day weeks week month months year weekday time seconds today div mod
  message messages mailbox mailboxes inbox drafts sender subject content received sent read status unread flagged account accounts address addresses email recipient recipients headers header attachment attachments size junk mail
  event events calendar calendars summary start end location description allday attendee attendees recurrence
  reminder reminders lists completed completion due priority body remind
  note notes folder folders container modification creation person people phone phones group groups birth organization job title nickname
  file files disk disks home desktop documents document kind extension window windows url urls tabs name names id ids index
  track tracks artist album player state playlist playlists position duration genre rating process processes frontmost visible service services buddy chat chats participant participants
`.trim().split(/\s+/));
/** Names that no dictionary has as a property: a lone word such as "subject" could be one of the thing that is told. */
const VARIABLE = /^(?:[a-z]+[A-Z][A-Za-z0-9_]*|[A-Za-z]\w*[0-9_]\w*|[a-z]|out|output|total|found|acc|msgs|evts|lst|res|txt|str|num|cnt)$/;
/** What stands for a text and for an application: characters that no script may hold. */
const TEXT = '\u0001';
const APPLICATION = '\u0002';
/** @type {readonly (readonly [form: RegExp, kind: string])[]} the groups are variables, expressions or statements, as the kind says */
const FORMS = [
  [/^end(?: (?:tell|repeat|if|try|timeout|considering|ignoring))?$/i, ''], [/^(?:try|else|exit repeat|on error|repeat|considering case|ignoring case|return|with timeout(?: of)? \d+ seconds?)$/i, ''],
  [/^on error (\w+)$/i, 'v'], [/^set AppleScript's text item delimiters to (.+)$/i, 'e'],
  [/^tell (.+?) to (.+)$/i, 'es'], [/^tell (.+)$/i, 'e'],
  [/^set (?:the )?end of (\w+) to (.+)$/i, 've'], [/^set (\w+) to (.+)$/i, 've'], [/^copy (.+) to (?:the )?(?:end of )?(\w+)$/i, 'ev'],
  [/^repeat with (\w+) (?:in|from) (.+)$/i, 've'], [/^repeat (?:while |until )?(.+?)(?: times)?$/i, 'e'],
  [/^(?:else )?if (.+?) then$/i, 'e'], [/^(?:else )?if (.+?) then (.+)$/i, 'es'],
  [/^(?:return|get|count) (.+)$/i, 'e'], [/^(.+)$/, 'e'],
];

/**
 * @param {string} script
 * @returns {{ effect: 'read' | 'irreversible', applications: string[], reason?: string }} `reason` names the first line that isn't known to be harmless
 */
export function effectOfScript(script) {
  /** @type {string[]} */
  const applications = [];
  const variables = new Set();
  const refused = (/** @type {string} */ reason) => ({ effect: /** @type {const} */ ('irreversible'), applications, reason });
  if (script.includes(TEXT) || script.includes(APPLICATION)) return refused('it holds control characters');
  const plain = withoutTexts(script);
  if (plain === undefined) return refused('a text or a comment does not end');
  for (const name of plain.applications) applications.push(name);
  const strange = plain.applications.find((name) => !APPLICATIONS.has(name.toLowerCase()));
  if (strange !== undefined) return refused(`${strange} is no application that is known to answer without doing`);
  if (/[^\x20-\x7e\n\t\u0001\u0002]/.test(plain.code)) return refused('it holds characters outside of texts that are not plain');
  for (const line of plain.code.split('\n')) {
    const statement = line.trim().replace(/\s+/g, ' ');
    if (statement !== '' && !isHarmless(statement, variables, 0)) return refused(`"${statement.replaceAll(TEXT, '"…"').replaceAll(APPLICATION, 'application "…"').slice(0, 200)}" is not known to be harmless`);
  }
  return { effect: 'read', applications };
}

/** @param {string} statement @param {Set<unknown>} variables @param {number} depth @returns {boolean} */
function isHarmless(statement, variables, depth) {
  if (depth > 4) return false;
  for (const [form, kind] of FORMS) {
    const match = form.exec(statement);
    if (!match) continue;
    const parts = match.slice(1);
    const named = parts.filter((_, index) => kind[index] === 'v');
    if (named.some((name) => !VARIABLE.test(name))) return false;
    // Known from here on, and not in its own value.
    const harmless = parts.every((part, index) => kind[index] === 'v' || (kind[index] === 's' ? isHarmless(part, variables, depth + 1) : isExpression(part, variables)));
    for (const name of named) variables.add(name);
    return harmless;
  }
  return false;
}

/** @param {string} expression @param {Set<unknown>} variables */
function isExpression(expression, variables) {
  if (/[^\w\s'(){},&=<>+*/^.:\u0001\u0002-]/.test(expression)) return false;
  const words = expression.match(/[A-Za-z_][\w']*/g) ?? [];
  // A word right before a bracket would be a handler that is called; "(" after a connective opens a group.
  if ((expression.match(/\b[A-Za-z_]\w*\(/g) ?? []).length > 0) return false;
  return words.every((word) => variables.has(word) || variables.has(word.replace(/'s$/, '')) || WORDS.has(word.toLowerCase()) || WORDS.has(word.toLowerCase().replace(/'s$/, '')));
}

/** The script with texts, comments and line continuations taken out. @param {string} script */
function withoutTexts(script) {
  /** @type {string[]} */
  const applications = [];
  let code = '';
  let rest = script.replace(/\r\n?/g, '\n');
  while (rest !== '') {
    const text = /^"((?:[^"\\]|\\[^])*)"/.exec(rest);
    const skipped = /^(?:--[^\n]*|#[^\n]*|\u00ac[ \t]*\n)/.exec(rest);
    if (text) {
      const named = /\bapplication[ \t]*$/i.exec(code);
      if (named) applications.push(text[1] ?? '');
      code = named ? `${code.slice(0, named.index)}${APPLICATION}` : `${code} ${TEXT} `;
      rest = rest.slice(text[0].length);
    } else if (rest.startsWith('(*')) {
      const end = endOfComment(rest);
      if (end === -1) return undefined;
      code += ' ';
      rest = rest.slice(end);
    } else if (skipped) rest = rest.slice(skipped[0].length);
    else if (rest.startsWith('"')) return undefined;
    else {
      const plain = /^(?:[^"(#\u00ac-]+|[^])/.exec(rest)?.[0] ?? '';
      code += plain;
      rest = rest.slice(plain.length);
    }
  }
  return { code, applications };
}

/** Comments nest. @param {string} text that begins with one */
function endOfComment(text) {
  let depth = 0;
  for (const mark of text.matchAll(/\(\*|\*\)/g)) {
    depth += mark[0] === '(*' ? 1 : -1;
    if (depth === 0) return mark.index + 2;
  }
  return -1;
}
