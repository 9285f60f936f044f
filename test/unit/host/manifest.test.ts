import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../../../package.json';
import texts from '../../../package.nls.json';
import {
  commands,
  container,
  contextKeys,
  formViewType,
  galleryViewType,
  settingIds,
  settingSection,
  views,
} from '../../../src/host/ids';

const { contributes } = manifest;
const commandIds = new Set(contributes.commands.map(({ command }) => command));

function same(ours: readonly string[], theirs: Iterable<string>) {
  assert.deepEqual([...ours].sort(), [...theirs].sort());
}

/** Every string of the manifest, however deep. */
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

test('the manifest and the code name the same settings', () => {
  same(
    Object.values(settingIds).map((id) => `${settingSection}.${id}`),
    Object.keys(contributes.configuration.properties),
  );
});

test('every text the manifest asks for is there, and no other', () => {
  const asked = strings(manifest).flatMap((text) => /^%(.+)%$/.exec(text)?.[1] ?? []);
  same([...new Set(asked)], Object.keys(texts));
});

/** Commands of the editor itself that we offer. */
const editorCommands = new Set(['workbench.action.files.openFolder']);

test('menus and welcome texts offer commands that exist', () => {
  const offered = [
    ...Object.values(contributes.menus).flatMap((items) => items.map(({ command }) => command)),
    ...Object.values(texts).flatMap((text) =>
      [...text.matchAll(/\(command:([\w.]+)\)/g)].map(([, command]) => command!),
    ),
  ];
  assert.deepEqual(
    offered.filter((command) => !commandIds.has(command) && !editorCommands.has(command)),
    [],
  );
});

test('when-clauses ask for views and keys that exist', () => {
  const known = new Set<string>([
    ...Object.values(contextKeys),
    ...Object.values(views),
    formViewType,
    galleryViewType,
  ]);
  const asked = clauses(contributes).flatMap((clause) => clause.match(/modelCatalog\.[\w.]+/g) ?? []);
  assert.deepEqual(
    asked.filter((key) => !known.has(key)),
    [],
  );
});

test('commands that need a render to work on are kept out of the palette', () => {
  const hidden = new Set(contributes.menus.commandPalette.map(({ command }) => command));
  const inMenus = contributes.menus['view/item/context'].map(({ command }) => command);
  const open = inMenus.filter((command) => !hidden.has(command));
  assert.deepEqual([...new Set(open)], [commands.openModel]);
});

test('what decides where the key travels or what may be spent cannot be set by a project', () => {
  const { properties } = contributes.configuration;
  assert.equal(properties['modelCatalog.baseUrl'].scope, 'application');
  assert.equal(properties['modelCatalog.confirmAbove'].scope, 'application');
  assert.equal(properties['modelCatalog.unattendedBudget'].scope, 'application');
});
