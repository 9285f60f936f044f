// The part of the style guide (src/README.md, Words) that a machine can check.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as ts from 'typescript';
import bundle from '../../l10n/bundle.l10n.de.json';
import manifestTexts from '../../package.nls.json';
import { renderActions } from '../../src/features/rendering/model/actions';

/** What models read: English, whatever language the user speaks. The manifest has the same texts of tools. */
const readByAgents = [
  ...['toolList.ts', 'toolWords.ts', 'toolInputs.ts', 'agentRenders.ts'].map(
    (file) => `src/features/agents/model/${file}`,
  ),
  'src/relay/mcp.ts',
];
/** The sandbox's models, fields, and problems: not its poems and its SQL. */
const statedBySandbox = readdirSync('src/sandbox')
  .filter((file) => file.endsWith('.ts') && !['writer.ts', 'account.ts'].includes(file))
  .map((file) => `src/sandbox/${file}`);

const manifest: Readonly<Record<string, string>> = manifestTexts;
/** The program's English texts are the keys of every bundle. */
const strings = Object.keys(bundle);
const shown = [
  ...[...strings, ...Object.values(manifest)],
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md', 'media/skills/model-catalog/SKILL.md'].flatMap(paragraphs),
  ...readdirSync('media/help').flatMap((page) => paragraphs(`media/help/${page}`)),
  ...[...readByAgents, ...statedBySandbox].flatMap(sentencesIn),
];

/** Every text of a source file that has two words or more. */
function sentencesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts.filter((text) => /\p{L}{2}[^\p{L}]*\s+\p{L}{2}/u.test(text)).map((text) => text.replace(/\s+/g, ' '));
}

/** The titles of all commands, by their names in package.nls.json. */
const titles = Object.entries(manifest).filter(([name]) => name.startsWith('command.'));

/** The paragraphs, rows, and items of a document. */
function paragraphs(file: string): string[] {
  const prose = readFileSync(file, 'utf8').replace(/^```[^]*?^```$/gm, '');
  return prose.split(/\n\n+|\n(?=- |\d+\. |\|)/).map((paragraph) => paragraph.replace(/\s+/g, ' ').trim());
}

/** A text without code, link targets, and URLs. Apostrophes are straight. */
function words(text: string): string {
  return text
    .replace(/`[^`]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\S*/g, '')
    .replaceAll('’', "'");
}

/** Texts that contain a match, with that match, except those allowed. */
function found(pattern: RegExp, allowed: Readonly<Record<string, string>> = {}): string[] {
  return shown
    .filter((text) => !(text in allowed))
    .flatMap((text) => [...words(text).matchAll(pattern)].map(([word]) => `${word}: ${text}`));
}

/** Checks that every exception is still needed, so that none outlives its text. */
function checkUsed(pattern: RegExp, allowed: Readonly<Record<string, string>>) {
  assert.deepEqual(
    Object.keys(allowed).filter((text) => !shown.includes(text) || words(text).match(pattern) === null),
    [],
    'exceptions for texts that are gone, or need none',
  );
}

const forbidden = new RegExp(
  `\\b(${[
    // Words that no native speaker would choose here.
    ...['anew', 'beside', 'endings?', 'under way', 'stands', 'tells', 'ticks?', 'ticked', 'go(es)? on', 'say yes'],
    ...['is there', 'is not there', 'whole(?! number)', 'at once', 'meanwhile', 'be had', 'of its own', 'who listens'],
    ...['spoken of', 'made of', 'asked after', 'once more', 'for instance'],
    // Terms that the table of terms has replaced.
    ...['pictures?', 'answers?', 'answered', 'generation(?!s view)', 'orders?', 'ordered', 'companions?'],
    ...['refuses?', 'address(es)?', 'keybindings?', '(?<!play |real )money', 'price shown', 'list of renders'],
    ...['texts', 'spend(?= *$)', 'provenance', 'ledger'],
  ].join('|')})\\b`,
  'gi',
);

/** Texts that may contain a forbidden word, and why. */
const forbiddenExceptions: Readonly<Record<string, string>> = {
  'This is only part of a key. Copy the whole key, then paste it again.': 'the whole as against a part',
  '## What it promises about money': 'the subject, not what somebody has',
};

const uncontracted =
  /\b(cannot|(can|do|does|did|is|are|was|were|has|have|had|will|would|could|should|must) not|it is|you are|you will)\b/gi;

test('no text has a word that the style guide forbids', () => {
  assert.deepEqual(found(forbidden, forbiddenExceptions), []);
  checkUsed(forbidden, forbiddenExceptions);
});

test('texts contract: can’t, isn’t, doesn’t', () => {
  assert.deepEqual(found(uncontracted), []);
});

test('an ellipsis is one character, and ends a title', () => {
  assert.deepEqual(found(/\.{3,}/g), []);
  assert.deepEqual(
    titles.filter(([, title]) => /….|\s…/.test(title)),
    [],
  );
});

test('texts are spelled as in the United States', () => {
  const british =
    /\b(colou?red|colours?|licences?|cancell(?:ed|ing)|grey|favourites?|behaviours?|centres?|catalogues?|labelled|(?:organ|recogn|real|summar|initial)is(?:e|es|ed|ing)|analyse[sd]?|towards|afterwards|whilst|amongst)\b/gi;
  assert.deepEqual(
    found(british).filter((text) => !/^colored/i.test(text)),
    [],
  );
});

/** After a comma, these begin a clause or an addition, not the second of three items. */
const noItem = '(?!(?:and|but|with|from|because|if|so|which|that|also|you|they|it|one)\\b)';

test('a list of three has a comma before its last item', () => {
  const missing = new RegExp(`\\b[\\w'-]+, ${noItem}[\\w'-]+(?: [\\w'-]+){0,3} (?:and|or) [\\w'-]+`, 'gi');
  assert.deepEqual(found(missing), []);
});

const verbs = new Set(
  `Accept Add Check Clear Compare Connect Copy Create Delete Discard Disconnect Don’t Download Edit Find Get Insert
  Manage Mark Move Open Quick Refit Refresh Remind Remove Render Resolve Reveal Review Save Search Send Set Show Stop Switch Use`.split(
    /\s+/,
  ),
);

/** Lowercase within a title: articles, conjunctions, and prepositions of up to four letters. */
const small = new Set('a an and as at by for from in of on or the to with'.split(' '));

function isTitleCase(title: string): boolean {
  const all = title.replace(/…$/, '').split(' ');
  return all.every((word, at) =>
    small.has(word.toLowerCase()) && at > 0 && at < all.length - 1 ? word === word.toLowerCase() : /^[A-Z]/.test(word),
  );
}

test('titles of commands are in title case and begin with a verb', () => {
  const labels = [...titles.map(([, title]) => title), ...renderActions.map(({ label }) => label)];
  assert.deepEqual(
    labels.filter((title) => !isTitleCase(title) || !verbs.has(/^[\w’]+/.exec(title)?.[0] ?? '')),
    [],
  );
});

test('a command that spends on a click has no ellipsis', () => {
  const spending = [manifest['command.sendPlanned'], renderActions.find(({ id }) => id === 'sendPlanned')?.label];
  for (const title of spending) assert.match(title ?? '', /\w$/);
});

/** Sentences that may be longer, since they list names. */
const longSentences = new Set([
  'Place the cursor where the image should go, in a Markdown, HTML, JSX, Vue, Svelte, CSS, LaTeX, reStructuredText, or AsciiDoc file in an open folder.',
]);

test('a sentence has at most 20 words', () => {
  const sentences = [...strings, ...Object.values(manifest)].flatMap((text) => text.split(/(?<=[.?!])\s/));
  assert.deepEqual(
    sentences.filter((sentence) => !longSentences.has(sentence) && sentence.split(/\s+/).length > 20),
    [],
  );
});

test('a setting is described in at most 40 words, beginning with what it does', () => {
  const settings = Object.entries(manifest).filter(([name]) => name.startsWith('setting.'));
  for (const [name, text] of settings) {
    const count = text.replace(/\]\([^)]*\)/g, ']').split(/\s+/).length;
    assert.ok(count <= 40, `${name} has ${count} words`);
    assert.doesNotMatch(text, /^(the|an?|this|whether)\b/i, name);
  }
});

test('a paragraph of the README has at most 60 words', () => {
  const prose = paragraphs('README.md').filter((paragraph) => !/^(!\[|\||#)/.test(paragraph));
  assert.deepEqual(
    prose.filter((paragraph) => paragraph.split(' ').length > 60),
    [],
  );
});

/** Names of properties that the editor displays. */
const shownNames = new Set(
  'title placeholder placeHolder prompt message tooltip label description detail name'.split(' '),
);
const shownCalls =
  /\bwindow\.(show\w+Message|setStatusBarMessage|createWebviewPanel|createOutputChannel)$|^showProblem$/;
const shownAttributes = new Set(['title', 'placeholder', 'aria-label', 'alt']);

/** The English in an expression that is displayed unchanged. A call's arguments are the call's own concern. */
function english(node: ts.Node): string[] {
  if (ts.isCallExpression(node)) return english(node.expression);
  if (ts.isNewExpression(node) || ts.isFunctionLike(node)) return [];
  if (ts.isBinaryExpression(node) && /^[!=]==?$/.test(node.operatorToken.getText())) return [];
  if (ts.isElementAccessExpression(node)) return english(node.expression);
  if (ts.isConditionalExpression(node)) return [...english(node.whenTrue), ...english(node.whenFalse)];
  const own = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) ? [node.text] : [];
  const inner: string[] = [];
  ts.forEachChild(node, (child) => void inner.push(...english(child)));
  return [...own.map((text) => text.replace(/\$\([\w~-]+\)/g, '')).filter((text) => /\p{L}{2}/u.test(text)), ...inner];
}

/** What a node itself displays. */
function shownBy(node: ts.Node): ts.Node[] {
  if (ts.isJsxText(node)) return [node];
  if (ts.isJsxAttribute(node) && shownAttributes.has(node.name.getText()) && node.initializer)
    return [node.initializer];
  if (ts.isCallExpression(node) && shownCalls.test(node.expression.getText())) return [...node.arguments];
  if (ts.isPropertyAssignment(node) && shownNames.has(node.name.getText())) return [node.initializer];
  const assigned = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  if (assigned && ts.isPropertyAccessExpression(node.left) && shownNames.has(node.left.name.text)) return [node.right];
  return [];
}

/** English that is displayed without translation, by file. */
function untranslated(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const own: string[] = [];
  const visit = (node: ts.Node): void => {
    for (const place of shownBy(node)) {
      const texts = ts.isJsxText(place) ? [place.text].filter((text) => /\p{L}{2}/u.test(text)) : english(place);
      own.push(...texts.map((text) => `${file}: ${text.trim()}`));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return own;
}

/** Names, examples of input, and icon names, which aren't translated. */
const names = [
  ...['Model Catalog', 'https://models.example.com', 'ai_live_…', 'edit'],
  ...['Claude Code', 'Codex', 'Cursor', 'Cline'],
];

test('all English that is shown can be translated', () => {
  const files = ['src/features', 'src/compose', 'src/editor'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const all = files.filter((file) => /\.tsx?$/.test(file) && !readByAgents.includes(file)).flatMap(untranslated);
  assert.deepEqual(
    all.filter((text) => ![...names, ...strings].some((name) => text.endsWith(`: ${name}`))),
    [],
  );
});
