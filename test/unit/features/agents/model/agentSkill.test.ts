import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentPrograms, isOurSkill, skillOutside } from '../../../../../src/features/agents/model/agentConfig';
import { toolNames } from '../../../../../src/editor/ids';

const skill = readFileSync(join('media', 'skills', 'model-catalog', 'SKILL.md'), 'utf8');

test('the skill for outside agents names the tools as the relay does, and is otherwise unchanged', () => {
  const outside = skillOutside(skill);
  const named = [...outside.matchAll(/`([a-z]+[A-Z]\w+|quote|render)`/g)].map(([, name]) => name);
  for (const name of toolNames) assert.ok(named.includes(name), name);
  for (const name of named) assert.ok([...toolNames, 'modelId'].includes(name ?? ''), name);
  assert.equal(outside.split('\n').length, skill.split('\n').length);
  assert.equal(skillOutside('`catalog` and `catalogue`'), '`catalog` and `catalogue`');
});

test('only a skill with our name counts as ours', () => {
  assert.ok(isOurSkill(skill));
  assert.ok(isOurSkill(skill.replaceAll('\n', '\r\n')));
  for (const text of ['', 'name: model-catalog', '---\nname: model-catalog-2\n---', `\n${skill}`])
    assert.ok(!isOurSkill(text), JSON.stringify(text));
});

test('each agent is given the skill where it’s documented to read it', () => {
  const paths = { home: '/home/me', storage: '/storage/ours', launcher: '/storage/ours/agents/mcp', platform: 'linux' };
  const skills = agentPrograms(paths).map(({ name, skill: path }) => [name, path]);
  assert.deepEqual(skills, [
    ['Claude Code', '/home/me/.claude/skills/model-catalog/SKILL.md'],
    ['Codex', '/home/me/.agents/skills/model-catalog/SKILL.md'],
    ['Cursor', '/home/me/.cursor/skills/model-catalog/SKILL.md'],
    ['Cline', '/home/me/.cline/skills/model-catalog/SKILL.md'],
    [undefined, undefined],
  ]);
});
