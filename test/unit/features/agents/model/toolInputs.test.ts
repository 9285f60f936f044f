import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../../../../../package.json';
import { toolNames } from '../../../../../src/editor/ids';
import { readInput } from '../../../../../src/features/agents/model/toolInputs';
import { toolList } from '../../../../../src/features/agents/model/toolList';

const item = { modelId: 'a/b/c', inputs: { prompt: 'a kite' } };

function problem(tool: string, given: unknown): string {
  const read = readInput(tool, given);
  return 'problem' in read ? read.problem : 'understood';
}

test('the manifest and the code describe the same tools', () => {
  assert.deepEqual(
    toolList.map(({ name }) => name),
    [...toolNames],
  );
  const described = manifest.contributes.languageModelTools.map(({ name, modelDescription, inputSchema }) => ({
    name: name.replace('modelCatalog_', ''),
    description: modelDescription,
    inputSchema,
  }));
  assert.deepEqual(described, toolList);
  for (const { toolReferenceName, when } of manifest.contributes.languageModelTools) {
    assert.match(toolReferenceName, /^catalog[A-Z]/);
    assert.equal(when, 'isWorkspaceTrusted');
  }
});

test('valid input is copied, so later changes by the agent have no effect', () => {
  const given = { items: [{ modelId: 'a/b/c', inputs: { prompt: 'a kite' } }] };
  const read = readInput('render', given);
  given.items[0]!.inputs.prompt = 'a yacht';
  assert.ok('input' in read && read.input.name === 'render');
  assert.equal(read.input.items[0]!.inputs.prompt, 'a kite');
});

test('invalid input is described without links', () => {
  assert.match(problem('render', { items: Array(21).fill(item) }), /At most 20 items/);
  assert.match(problem('render', { items: [{ ...item, approved: true }] }), /unknown approved/);
  assert.match(problem('render', { items: [{ ...item, inputs: [] }] }), /items\.0\.inputs/);
  assert.doesNotMatch(problem('render', { '[x](command:a)': 1, items: [item] }), /\]\(/);
  assert.match(problem('spend', {}), /There is no tool/);
  assert.match(problem('__proto__', {}), /There is no tool/);
  assert.match(problem('render', undefined), /doesn’t fit/);
});

test('an image is never taken by its hash, which anybody can know, wherever it stands among the inputs', () => {
  const kept = { file: 'a.png', sha256: 'a'.repeat(64), type: 'image/png', bytes: 3 };
  for (const inputs of [{ start: kept }, { images: [kept] }, { more: { start: { ...kept, encoding: 'base64' } } }])
    for (const tool of ['quote', 'render'])
      assert.match(problem(tool, { items: [item, { modelId: 'a/b/c', inputs }] }), /Give an image as a path/);
  const { sha256, ...others } = kept;
  assert.equal(
    problem('render', { items: [{ modelId: 'a/b/c', inputs: { start: others, hash: sha256 } }] }),
    'understood',
  );
});
