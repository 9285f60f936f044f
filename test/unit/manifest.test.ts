import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import manifest from '../../package.json';
import texts from '../../package.nls.json';
import { endings, languages, syntaxOf } from '../../src/documents/syntax';
import {
  abilities,
  responseScheme,
  commands,
  compareViewType,
  container,
  contextKeys,
  pageLanguage,
  formViewType,
  galleryViewType,
  oldSettingIds,
  earlierIds,
  settingIds,
  settingSection,
  spendViewType,
  views,
  walkthrough,
} from '../../src/editor/ids';
import { dragType } from '../../src/editor/page/page';
import { actionsOf } from '../../src/features/rendering/model/actions';
import type { LibraryEntry } from '../../src/renders/library';
import type { RenderRecord } from '../../src/renders/record';

const { contributes } = manifest;
const commandIds = new Set(contributes.commands.map(({ command }) => command));
const allSettings: Readonly<Record<string, Setting | OldSetting>> = Object.fromEntries(
  contributes.configuration.flatMap(({ properties }) =>
    Object.entries(properties as object as Record<string, Setting | OldSetting>),
  ),
);

/** Those that the settings editor offers. */
const settings = Object.fromEntries(
  Object.entries(allSettings).filter(
    (entry): entry is [string, Setting] => !('markdownDeprecationMessage' in entry[1]),
  ),
);

/** A setting that's only read. */
interface OldSetting {
  readonly scope: string;
  readonly markdownDeprecationMessage: string;
}

interface Setting {
  readonly default: unknown;
  readonly order: number;
  readonly scope: string;
  readonly keywords: readonly string[];
  readonly markdownDescription: string;
}

interface Command {
  readonly command: string;
  readonly category: string;
  /** A codicon, or files for light and dark themes. */
  readonly icon?: string | { readonly light: string; readonly dark: string };
}

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when: string;
  /** Undefined in the Command Palette. */
  readonly group?: string;
}

const menus: Readonly<Record<string, readonly MenuItem[]>> = contributes.menus;

interface AmountSetting extends Setting {
  readonly default: string;
  readonly pattern: string;
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

/** Names of commands that keep working where someone calls them; people find them in boxes, rows, and pages. */
const onlyCalled = [
  ...['setApiKey', 'disconnect', 'useSandbox', 'addPlayMoney', 'refreshBalance', 'refreshModels', 'showOlder'],
  ...['connectAgent', 'disconnectAgents', 'stopAgents', 'renderMissing', 'markNotCharged', 'markCharged', 'removeMark'],
  ...['addFileEntry', 'addFormEntry', 'addLinkEntry', 'copyFileLink', 'copyFilePrompt', 'compareFiles', 'showDetails'],
] as (keyof typeof commands)[];

test('the manifest and the code name the same commands, except those that only programs call', () => {
  same(Object.values(commands), [...commandIds, ...onlyCalled.map((name) => commands[name])]);
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

test('the only defaults that we change are those of our own pages', () => {
  assert.deepEqual(Object.keys(contributes.configurationDefaults), [`[${pageLanguage}]`]);
});

test('no default keyboard shortcut takes a key from others: each is for our own views and pages', () => {
  const ours = new RegExp(`^(focusedView == ${views.generations}|resourceScheme == ${responseScheme}) `);
  for (const { when } of contributes.keybindings) assert.match(`${when} `, ours);
});

test('commands for links are enabled by language or, where the editor has none, by file extension', () => {
  const byLanguage = `editorLangId =~ /^(${languages.join('|')})$/`;
  const byEnding = `editorLangId == plaintext && resourceExtname =~ /^\\.(${endings.filter((one) => syntaxOf('plaintext', `a.${one}`)).join('|')})$/i`;
  const about = clauses(contributes.menus).filter((clause) => clause.includes('editorLangId =~'));
  assert.ok(about.length > 0);
  for (const clause of about) assert.ok(clause.includes(byLanguage) && clause.includes(byEnding), clause);
});

test('the manifest and the code name the same settings', () => {
  const named = (ids: object) => Object.values(ids).map((id) => `${settingSection}.${id}`);
  same(named(settingIds), Object.keys(settings));
  same([...named(settingIds), ...named(oldSettingIds)], Object.keys(allSettings));
});

test('every text that the manifest refers to exists, and no other', () => {
  const asked = strings(manifest).flatMap((text) => /^%(.+)%$/.exec(text)?.[1] ?? []);
  same([...new Set(asked)], Object.keys(texts));
});

/** Commands of the editor that we link to. */
const editorCommands = ['workbench.action.files.openFolder', 'workbench.action.openSettings'];

test('menus, keybindings, welcome texts, settings, and the walkthrough refer to existing commands', () => {
  const offered = [
    ...Object.values(menus).flatMap((items) => items.flatMap(({ command }) => command ?? [])),
    ...contributes.keybindings.map(({ command }) => command),
  ];
  const linked = Object.values(texts).flatMap((text) =>
    [...text.matchAll(/\(command:([\w.]+)\)/g)].map(([, command]) => command!),
  );
  const shown = Object.values(views).map((view) => `${view}.focus`);
  const known = new Set<string>([...Object.values(commands), ...shown, ...editorCommands]);
  assert.deepEqual([...offered.filter((id) => !commandIds.has(id)), ...linked.filter((id) => !known.has(id))], []);
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

test('every command has our category, and one that is a button has an icon', () => {
  const items = Object.values(menus).flat();
  const buttons = new Set(
    items.filter(({ group = '' }) => /^(inline|navigation)/.test(group)).map(({ command }) => command),
  );
  for (const { command, category, icon } of contributes.commands as readonly Command[]) {
    assert.equal(category, 'Model Catalog', command);
    assert.equal(icon !== undefined, buttons.has(command), command);
    if (typeof icon === 'string') assert.match(icon, /^\$\([a-z-]+\)$/, command);
    else if (icon) for (const file of [icon.light, icon.dark]) assert.ok(existsSync(file), file);
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
  const shown = `resourceScheme == ${responseScheme}`;
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
    commands.editImage,
    commands.useAsInput,
  ]);
  for (const { command, when } of contributes.menus['modelCatalog.explorer'])
    assert.ok(anywhere.has(command) || when.includes(result), command);
});

/** What a menu offers where its clauses are true, without the buttons in rows; a submenu by its ID. */
function offeredIn(items: readonly MenuItem[], keys: Readonly<Record<string, unknown>>): string[] {
  return items
    .filter(({ when, group }) => !group?.startsWith('inline') && isTrue(when, keys))
    .map((item) => item.command ?? item.submenu ?? '');
}

/** For the operators that clauses of rows use. */
function isTrue(when: string, keys: Readonly<Record<string, unknown>>): boolean {
  return when.split(' && ').every((part) => {
    const [, not = '', key = '', operator, value = ''] = /^(!?)\(?(\w+)(?: (==|=~) (.+?))?\)?$/.exec(part) ?? [];
    const is = keys[key];
    const holds =
      operator === '==' ? is === value.replaceAll("'", '') : operator === '=~' ? matches(value, is) : is === true;
    return holds !== (not === '!');
  });
}

function matches(pattern: string, text: unknown): boolean {
  return typeof text === 'string' && new RegExp(pattern.slice(1, -1)).test(text);
}

const most = 8;

test('the Command Palette shows at most 28 commands', () => {
  const hidden = new Set(
    contributes.menus.commandPalette.flatMap(({ command, when }) => (when === 'false' ? command : [])),
  );
  const open = [...commandIds].filter((command) => !hidden.has(command));
  assert.ok(open.length <= 28, `${open.length}: ${open.join()}`);
});

const record = { staged: false, target: {} } as RenderRecord;
const [modelId, file, generationId] = ['strata', 'file:///fox.png', 'g1'];
const made = { modelId, generationId, group: 'finished', record } as const;
/** Renders of each kind, with all that can be done to such a one. */
const kinds: Readonly<Record<string, Partial<LibraryEntry>>> = {
  'in progress': { ...made, group: 'active', state: 'accepted' },
  'at another service': { ...made, group: 'active', state: 'accepted', awayAt: 'https://a.example' },
  'waits for its turn': { ...made, group: 'active', state: 'planned' },
  'not sent': { ...made, group: 'notSent', state: 'planned' },
  unconfirmed: { ...made, group: 'unknown', state: 'unknown' },
  'marked as charged': { ...made, state: 'unknown', record: { ...record, settled: { charged: true, at: 1 } } },
  'paid, not saved': { ...made, group: 'paidNotSaved', state: 'succeeded', status: 'succeeded' },
  image: {
    ...{ ...made, state: 'saved', status: 'succeeded', file },
    record: { ...record, spooled: { original: {}, mediaType: 'image/png' } } as RenderRecord,
  },
  'new image': { ...made, state: 'saved', status: 'succeeded', file, record: { ...record, staged: true } },
  text: { ...made, state: 'saved', status: 'succeeded', file: 'file:///poem.md', textOutput: 'a' },
  'started elsewhere': { ...made, status: 'succeeded', record: undefined },
  failed: { ...made, state: 'failed' },
  'too dear': { ...made, state: 'refused', problem: { code: 'balanceTooLow' } },
  'over the cap': { ...made, state: 'refused', problem: { code: 'dailyCap' } },
  'saved, refunded': { ...made, state: 'refunded', file },
};

for (const [kind, entry] of Object.entries(kinds))
  test(`the menu of a render has at most ${most} entries, one of which is a submenu: ${kind}`, () => {
    const words = actionsOf({ inputs: {}, id: 'a', ...entry } as LibraryEntry).map(({ id }) => id);
    const viewItem = abilities(words);
    const inTree = (listMultiSelection: boolean) =>
      offeredIn(menus['view/item/context']!, { view: views.generations, viewItem, listMultiSelection });
    const inGallery = offeredIn(menus['webview/context']!, { webviewId: galleryViewType, viewItem });
    const further = offeredIn(menus['modelCatalog.more']!, { viewItem });
    for (const offered of [inTree(false), inTree(true), inGallery, further])
      assert.ok(offered.length <= most, `${offered.length}: ${offered.join()}`);
    assert.deepEqual(inGallery, inTree(false));
    assert.equal(inGallery.filter((id) => !commandIds.has(id)).join(), 'modelCatalog.more');
    // Nothing that can be done is left out, except what a click does, and the box of unconfirmed renders.
    const elsewhere = ['openResult', 'markNotCharged', 'markCharged', 'removeMark', 'compareResults'];
    const ways = words.filter(
      (id) => !elsewhere.includes(id) && !(id === 'openInForm' && words.includes('changeAndTryAgain')),
    );
    assert.deepEqual(
      [...inGallery, ...further].filter((id) => id !== 'modelCatalog.more' && id !== commands.showLog).sort(),
      ways.map((id) => commands[id]).sort(),
    );
  });

test('the rows of the other views and the Explorer’s submenu have at most eight entries', () => {
  const rows = [
    [views.models, 'model'],
    [views.models, 'favouriteModel'],
    [views.renderFiles, 'due misfit foreign'],
  ];
  for (const [view, viewItem] of rows)
    assert.ok(offeredIn(menus['view/item/context']!, { view, viewItem }).length <= most, viewItem);
  const onFolders = menus['modelCatalog.explorer']!.filter(({ when }) => !when.includes('!explorerResourceIsFolder'));
  const onDocuments = menus['modelCatalog.explorer']!.filter(({ when }) => /\(md\|/.test(when));
  const onImages = menus['modelCatalog.explorer']!.filter(({ when }) => /\(png\|/.test(when));
  for (const offered of [onFolders, onDocuments, onImages]) assert.ok(offered.length <= most, String(offered.length));
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
  const rows = menus['view/item/context']!.filter(({ when }) => !when.startsWith('view == modelCatalog.models'));
  const inMenus = [...rows, ...menus['webview/context']!, ...menus['modelCatalog.more']!];
  const open = inMenus.flatMap(({ command = '' }) => (command === '' || hidden.has(command) ? [] : command));
  assert.deepEqual(open, [commands.showLog]);
});

test('a project can’t set where the key is sent, what may be spent, or what the user is told of it', () => {
  const { serviceUrl, confirmAbove, confirmAfterTotal, agentAllowance, otherAllowance, notifications } = settingIds;
  const renamed = [serviceUrl, confirmAbove, confirmAfterTotal, agentAllowance, otherAllowance] as const;
  const old = [oldSettingIds.confirmAfterRenders, oldSettingIds.lowBalance, ...renamed.map((id) => earlierIds[id])];
  for (const id of [...renamed, ...old, notifications])
    assert.equal(allSettings[`${settingSection}.${id}`]?.scope, 'application', id);
});

test('a renamed setting has the scope that it had, names the new one, and is as restricted', () => {
  const restricted = new Set<string>(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
  for (const [id, earlier] of Object.entries(earlierIds)) {
    const [now, old] = [`${settingSection}.${id}`, `${settingSection}.${earlier}`];
    const setting = allSettings[old] as OldSetting;
    assert.equal(setting.scope, settings[now]?.scope, id);
    assert.ok(texts[setting.markdownDeprecationMessage.slice(1, -1) as keyof typeof texts].includes(`#${now}#`), id);
    assert.equal(restricted.has(old), restricted.has(now), id);
  }
});

test('a setting of money accepts both separators', () => {
  for (const id of ['confirmAbove', 'confirmAfterTotal', 'agentAllowance', 'otherAllowance'] as const) {
    const { pattern, default: standard } = settings[`${settingSection}.${settingIds[id]}`] as AmountSetting;
    for (const amount of ['0', '2', '0.5', '0.50', '0,50', standard]) assert.match(amount, new RegExp(pattern));
    for (const other of ['', '0.505', '-1', '€2', '1.000,00', '.5', '1e3'])
      assert.doesNotMatch(other, new RegExp(pattern));
  }
  for (const id of ['limitPerDay', 'limitPerProject'] as const)
    assert.match('', new RegExp((settings[`${settingSection}.${settingIds[id]}`] as AmountSetting).pattern));
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
