import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig, writeConfig } from '../../../../../src/features/agents/model/agentConfig';
import { newFolder } from '../../../relay/world';

test('a configuration is replaced atomically, keeps its mode, and leaves no other file', async (t) => {
  const path = join(newFolder(t), 'mcp.json');
  writeFileSync(path, 'old');
  chmodSync(path, 0o640);
  const config = await readConfig(path);
  assert.equal(config.text, 'old');
  assert.ok(await writeConfig(config, 'new'));
  assert.equal(readFileSync(path, 'utf8'), 'new');
  assert.equal(lstatSync(path).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(join(path, '..')), ['mcp.json']);
});

test('changes made by others in between are kept', async (t) => {
  const path = join(newFolder(t), 'mcp.json');
  writeFileSync(path, 'old');
  const config = await readConfig(path);
  writeFileSync(path, 'theirs');
  assert.equal(await writeConfig(config, 'ours'), false);
  assert.equal(readFileSync(path, 'utf8'), 'theirs');
  assert.deepEqual(readdirSync(join(path, '..')), ['mcp.json']);
});

test('a new configuration is written unless another one was created first', async (t) => {
  const path = join(newFolder(t), 'mcp.json');
  const [first, second] = [await readConfig(path), await readConfig(path)];
  assert.equal(first.text, '');
  assert.ok(await writeConfig(first, 'first'));
  assert.equal(await writeConfig(second, 'second'), false);
  assert.equal(readFileSync(path, 'utf8'), 'first');
});

test('a link stays one, and its target is written', async (t) => {
  const folder = newFolder(t);
  mkdirSync(join(folder, 'dotfiles'));
  writeFileSync(join(folder, 'dotfiles', 'mcp.json'), 'old');
  symlinkSync(join(folder, 'dotfiles', 'mcp.json'), join(folder, 'mcp.json'));
  assert.ok(await writeConfig(await readConfig(join(folder, 'mcp.json')), 'new'));
  assert.ok(lstatSync(join(folder, 'mcp.json')).isSymbolicLink());
  assert.equal(readFileSync(join(folder, 'dotfiles', 'mcp.json'), 'utf8'), 'new');
});

test('a program that isn’t installed, and a file that isn’t text, aren’t read', async (t) => {
  const folder = newFolder(t);
  await assert.rejects(readConfig(join(folder, 'none', 'mcp.json')));
  assert.ok(!existsSync(join(folder, 'none')));
  writeFileSync(join(folder, 'mcp.json'), Buffer.from([0xff, 0xfe, 0x7b]));
  await assert.rejects(readConfig(join(folder, 'mcp.json')));
});
