import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import manifest from '../../package.json';
import texts from '../../package.nls.json';
import { endings, languages, syntaxOf } from '../../src/documents/syntax';
import { sidecarEnding } from '../../src/files/provenance';
import {
  answerScheme,
  commands,
  compareViewType,
  container,
  contextKeys,
  dragType,
  editKind,
  pageLanguage,
  formViewType,
  galleryViewType,
  settingIds,
  settingSection,
  spendViewType,
  views,
  walkthrough,
} from '../../src/editor/ids';

const { contributes } = manifest;
const commandIds = new Set(contributes.commands.map(({ command }) => command));
const settings: Readonly<Record<string, Setting>> = Object.fromEntries(
  contributes.configuration.flatMap(({ properties }) =>
    Object.entries(properties as object as Record<string, Setting>),
  ),
);

interface Setting {
  readonly default: unknown;
  readonly order: number;
  readonly scope: string;
  readonly keywords: readonly string[];
  readonly markdownDescription: string;
}

function same(ours: readonly string[], theirs: Iterable<string>) {
  assert.deepEqual([...ours].sort(), [...theirs].sort());
}

/** Every string of the manifest, however nested. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** Every when-clause and enablement of the manifest. */
function clauses(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === 'when' || name === 'enablement') && typeof inner === 'string' ? [inner] : clauses(inner),
  );
}

test('the manifest and the code name the same commands', () => {
  same(Object.values(commands), commandIds);
});

test('the manifest and the code name the same views', () => {
  const [place] = contributes.viewsContainers.activitybar;
  assert.equal(place!.id, container);
  same(
    Object.values(views),
    contributes.views.modelCatalog.map(({ id }) => id),
  );
});

test('the manifest and the code name the same language', () => {
  assert.deepEqual(
    contributes.languages.map(({ id }) => id),
    [pageLanguage],
  );
  assert.ok(`[${pageLanguage}]` in contributes.configurationDefaults);
});

test('a drag from the view has the type that the editor uses for that view', () => {
  assert.equal(dragType, `application/vnd.code.tree.${views.generations.toLowerCase()}`);
});

test('the only other defaults we change nest sidecars and prefer our links', () => {
  const { configurationDefaults } = contributes;
  const others = Object.entries(configurationDefaults).filter(([id]) => !id.startsWith('['));
  assert.deepEqual(others, [
    // Takes effect once a user turns file nesting on.
    ['explorer.fileNesting.patterns', { '*': `\${basename}.\${extname}${sidecarEnding}` }],
    ['editor.dropIntoEditor.preferences', [editKind]],
    ['editor.pasteAs.preferences', [editKind]],
  ]);
});

test('commands for links are enabled by language or, where the editor has none, by file extension', () => {
  const byLanguage = `editorLangId =~ /^(${languages.join('|')})$/`;
  const byEnding = `editorLangId == plaintext && resourceExtname =~ /^\\.(${endings.filter((one) => syntaxOf('plaintext', `a.${one}`)).join('|')})$/i`;
  const about = clauses(contributes.menus).filter((clause) => clause.includes('editorLangId =~'));
  assert.ok(about.length > 0);
  for (const clause of about) assert.ok(clause.includes(byLanguage) && clause.includes(byEnding), clause);
});

test('the manifest and the code name the same settings', () => {
  same(
    Object.values(settingIds).map((id) => `${settingSection}.${id}`),
    Object.keys(settings),
  );
});

test('every text that the manifest refers to exists, and no other', () => {
  const asked = strings(manifest).flatMap((text) => /^%(.+)%$/.exec(text)?.[1] ?? []);
  same([...new Set(asked)], Object.keys(texts));
});

/** Commands of the editor that we link to. */
const editorCommands = ['workbench.action.files.openFolder', 'workbench.action.openSettings'];

test('menus, keybindings, welcome texts, settings, and the walkthrough refer to existing commands', () => {
  const offered = [
    ...Object.values(contributes.menus).flatMap((items) => items.flatMap(({ command }) => command ?? [])),
    ...contributes.keybindings.map(({ command }) => command),
    ...Object.values(texts).flatMap((text) =>
      [...text.matchAll(/\(command:([\w.]+)\)/g)].map(([, command]) => command!),
    ),
  ];
  const shown = Object.values(views).map((view) => `${view}.focus`);
  const known = new Set([...commandIds, ...shown, ...editorCommands]);
  assert.deepEqual(
    offered.filter((command) => !known.has(command)),
    [],
  );
});

test('every setting has a default, a position, keywords, and links only to existing settings', () => {
  for (const [id, setting] of Object.entries(settings)) {
    assert.ok('default' in setting && setting.order > 0 && setting.keywords.length > 2, id);
    assert.match(setting.markdownDescription, /^%.+%$/, id);
  }
  const linked = Object.values(texts).flatMap((text) => [...text.matchAll(/`#([\w.]+)#`/g)].map(([, id]) => id!));
  assert.deepEqual(
    linked.filter((id) => !(id in settings)),
    [],
  );
});

test('every command has our category, and one in a menu has an icon', () => {
  for (const { command, category, icon } of contributes.commands) {
    assert.equal(category, 'Model Catalog', command);
    assert.match(icon, /^\$\([a-z-]+\)$/, command);
  }
});

test('the walkthrough’s subtitle fits its card, and its last step leads to missing images', () => {
  for (const language of ['', '.de', '.es', '.fr', '.ja']) {
    const texts = JSON.parse(readFileSync(`package.nls${language}.json`, 'utf8')) as Record<string, string>;
    assert.ok(texts['walkthrough.description']!.length <= 75, language);
    assert.match(texts['walkthrough.project.description']!, /command:modelCatalog\.renderMissingImages/);
  }
});

test('each step of the walkthrough has an image and is completed by an event', () => {
  const [start] = contributes.walkthroughs;
  assert.ok(walkthrough.endsWith(`#${start!.id}`));
  assert.equal(start!.steps.length, 4);
  for (const { media, completionEvents } of start!.steps) {
    assert.ok(existsSync(join(process.cwd(), media.svg)), media.svg);
    for (const event of completionEvents) {
      const [, kind, subject = ''] = /^(onCommand|onView|onContext):(\S+)/.exec(event) ?? [];
      const known: Record<string, readonly string[]> = {
        onCommand: [...commandIds],
        onView: Object.values(views),
        onContext: Object.values(contextKeys),
      };
      assert.ok(kind !== undefined && known[kind]!.includes(subject), event);
    }
  }
});

test('when-clauses refer to existing views and keys', () => {
  const known = new Set<string>([
    ...Object.values(contextKeys),
    ...Object.values(views),
    compareViewType,
    formViewType,
    galleryViewType,
    spendViewType,
  ]);
  const asked = clauses(contributes).flatMap((clause) => clause.match(/modelCatalog\.[\w.]+/g) ?? []);
  assert.deepEqual(
    asked.filter((key) => !known.has(key)),
    [],
  );
});

test('the actions on a response are where it’s shown, and nowhere else', () => {
  const shown = `resourceScheme == ${answerScheme}`;
  const title = contributes.menus['editor/title'].filter(({ when }) => when === shown);
  const decisions = [
    commands.acceptAnswer,
    commands.insertAnswerBelow,
    commands.answerInNewFile,
    commands.discardAnswer,
  ] as const;
  assert.deepEqual(
    title.map(({ command }) => command),
    decisions,
  );
  for (const { command, enablement } of contributes.commands.filter(({ command }) =>
    decisions.some((id) => id === command),
  ))
    assert.equal(enablement, shown, command);
});

test('the Explorer’s submenu shows on folders, on documents that can contain images, on images, and where results are', () => {
  const [, , entry] = contributes.menus['explorer/context'];
  assert.ok(entry && 'submenu' in entry);
  assert.equal(entry.submenu, contributes.submenus[0]?.id);
  const [folder, document, image, result = ''] = entry.when.split(' || ');
  assert.equal(folder, 'explorerResourceIsFolder');
  assert.match(document ?? '', /^resourceExtname =~ /);
  assert.match(image ?? '', /^resourceExtname =~ .*png/);
  assert.equal(result, `resourceDirname in ${contextKeys.resultFolders}`);
  const anywhere = new Set<string>([
    commands.renderHere,
    commands.renderMissingImages,
    commands.newRenderFile,
    commands.useAsInput,
  ]);
  for (const { command, when } of contributes.menus['modelCatalog.explorer'])
    assert.ok(anywhere.has(command) || when.includes(result), command);
});

test('the gallery’s menu has the actions of the Generations view', () => {
  const offered = (menu: 'view/item/context' | 'webview/context', view: string) =>
    contributes.menus[menu]
      .filter(({ when, group }) => when.includes(view) && !group.startsWith('inline'))
      .map(({ command }) => command)
      .filter((command) => command !== commands.showLog && command !== commands.compareResults);
  assert.deepEqual(
    offered('webview/context', galleryViewType),
    offered('view/item/context', `view == ${views.generations}`),
  );
});

test('missing images are offered on every file in the Explorer that can contain images, except scripts', () => {
  const when = contributes.menus['modelCatalog.explorer'].find(
    ({ command }) => command === commands.renderMissingImages,
  )?.when;
  const pattern = new RegExp(/resourceExtname =~ \/(.+)\/i$/.exec(when ?? '')?.[1] ?? '', 'i');
  for (const ending of endings) assert.equal(pattern.test(`.${ending}`), !['js', 'mjs'].includes(ending), ending);
});

test('commands that need a render aren’t in the Command Palette', () => {
  const hidden = new Set(contributes.menus.commandPalette.map(({ command }) => command));
  const inMenus = contributes.menus['view/item/context'].map(({ command }) => command);
  const open = inMenus.filter((command) => !hidden.has(command));
  assert.deepEqual([...new Set(open)], [commands.showLog]);
});

test('a project can’t set where the key is sent, what may be spent, or what the person is told of it', () => {
  const spending = [
    'confirmAbove',
    'unattendedBudget',
    'agentAllowance',
    'confirmAfterRenders',
    'confirmAfterCents',
  ] as const;
  for (const id of ['baseUrl', ...spending, 'notifications', 'lowBalance'] as const)
    assert.equal(settings[`${settingSection}.${settingIds[id]}`]?.scope, 'application');
});

test('every program that the extension starts from its own folder is packaged', () => {
  const shipped = readFileSync('.vscodeignore', 'utf8').split('\n');
  const started = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join('src', file), 'utf8').matchAll(/'dist', '([^']+\.m?js)'/g)])
    .map(([, name]) => `!dist/${name}`);
  assert.ok(started.length > 0);
  assert.deepEqual(
    started.filter((line) => !shipped.includes(line)),
    [],
  );
});
