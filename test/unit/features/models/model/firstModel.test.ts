import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../../src/catalog/errors';
import type { Field, Model, ModelKind } from '../../../../../src/catalog/fields';
import { firstModel } from '../../../../../src/features/models/model/lastModel';
import { asInstruction, asPrompt } from '../../../../../src/compose/writing';

const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const mask: Field = { name: 'mask', label: 'Mask', kind: 'text', statedType: 'text', required: true };
const steps: Field = { name: 'steps', label: 'Steps', kind: 'integer', statedType: 'integer', required: true };

function modelOf(id: string, kind: ModelKind | undefined, ...fields: Field[]): Model {
  return { id, provider: 'a', family: 'b', name: id, title: id, kind, fields };
}

/** A service that records which of its models are read, none of them before; `gone` ones are listed and unknown. */
function serviceOf(models: readonly Model[], gone: readonly string[] = []) {
  const read: string[] = [];
  const model = (id: string) => {
    read.push(id);
    const found = models.find((one) => one.id === id && !gone.includes(id));
    return found ? Promise.resolve(found) : Promise.reject(new ServiceError('status', 'unknown', { status: 404 }));
  };
  return {
    ...{ read, model, readModel: (): Promise<Model | undefined> => Promise.resolve(undefined) },
    models: () => Promise.resolve({ items: models, incomplete: false, unreadable: 0 }),
  };
}

test('the first one of the kind that needs only a prompt is chosen, whatever defaults its other fields have', async () => {
  const service = serviceOf([
    modelOf('text', 'text', prompt),
    modelOf('mask', 'image', prompt, mask),
    modelOf('steps', 'image', prompt, { ...steps, default: 4 }),
    modelOf('plain', 'image', prompt),
  ]);
  assert.equal((await firstModel(service, 'image', asPrompt, ''))?.id, 'steps');
  assert.deepEqual(service.read, ['mask', 'steps']);
});

test('of those whose prices are known, the cheapest is chosen, and before any other', async () => {
  const models = ['a', 'b', 'c', 'd'].map((id) => modelOf(id, 'image', prompt, ...(id === 'd' ? [mask] : [])));
  const cents = new Map([
    ['b', 5],
    ['c', 3],
    ['d', 1],
  ]);
  const chosen = await firstModel(serviceOf(models), 'image', asPrompt, '', undefined, (id) => cents.get(id));
  assert.equal(chosen?.id, 'c');
});

test('if no model is known to be of that kind, the first of unknown kind is chosen', async () => {
  const service = serviceOf([
    modelOf('poet', 'text', prompt),
    modelOf('singer', 'other', prompt),
    modelOf('mask', undefined, prompt, mask),
    modelOf('plain', undefined, prompt),
  ]);
  assert.equal((await firstModel(service, 'image', asPrompt, ''))?.id, 'plain');
  assert.equal((await firstModel(service, 'text', asPrompt, ''))?.id, 'poet');
});

test('a model that accepts less text, or none, is skipped', async () => {
  const service = serviceOf([
    modelOf('dice', 'text', { ...steps, default: 4 }),
    modelOf('short', 'text', { ...prompt, maxLength: 4 }),
    modelOf('poet', 'text', prompt),
  ]);
  assert.equal((await firstModel(service, 'text', asInstruction('Once there was.'), ''))?.id, 'poet');
});

test('for an instruction, a model that was read before and takes long texts comes first, and no other is read', async () => {
  const short: Field = { ...prompt, kind: 'text' };
  const models = [modelOf('poet', 'text', short), modelOf('plain', 'text', short), modelOf('writer', 'text', prompt)];
  const service = serviceOf(models);
  const readModel = (id: string) => Promise.resolve(models.find((model) => model.id === id && id !== 'plain'));
  const chosen = await firstModel({ ...service, readModel }, 'text', asInstruction('Once there was.'), '');
  assert.deepEqual([chosen?.id, service.read], ['writer', ['writer']]);
});

test('for an instruction, the list’s words decide where no fields are known, even while a response never comes', async () => {
  const models = [
    modelOf('poet', 'text', prompt),
    { ...modelOf('digest', 'text', prompt), description: 'Picks the key sentences from a text.' },
  ];
  const service = { ...serviceOf(models), readModel: () => new Promise<never>(() => {}) };
  assert.equal((await firstModel(service, 'text', asInstruction('Once there was.'), ''))?.id, 'digest');
  assert.equal((await firstModel(service, 'text', asPrompt, ''))?.id, 'poet');
});

test('one that the service no longer knows is skipped, and after a few, no more are read', async () => {
  const many = Array.from({ length: 9 }, (_, n) => modelOf(`model-${n}`, 'image', prompt));
  const ids = many.map(({ id }) => id);
  assert.equal((await firstModel(serviceOf(many, ids.slice(0, 2)), 'image', asPrompt, ''))?.id, 'model-2');
  const service = serviceOf(many, ids);
  assert.equal(await firstModel(service, 'image', asPrompt, ''), undefined);
  assert.equal(service.read.length, 5);
});

test('a service that isn’t responding is no reason to choose another', async () => {
  const service = {
    ...serviceOf([modelOf('a', 'image', prompt)]),
    model: () => Promise.reject(new ServiceError('noAnswer', 'cut')),
  };
  await assert.rejects(firstModel(service, 'image', asPrompt, ''), { kind: 'noAnswer' });
});
