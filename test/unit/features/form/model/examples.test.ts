import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earlierImages } from '../../../../../src/features/form/model/examples';
import type { LibraryEntry } from '../../../../../src/renders/library';
import type { RenderRecord } from '../../../../../src/renders/record';

const project = 'file:///project';
const modelId = 'paperlight/strata/strata-2';

function saved(id: string, prompt: string, root: string | undefined, rest: Partial<LibraryEntry & RenderRecord> = {}) {
  const record = { inputs: { prompt }, target: { root, folder: '', fileName: '' }, ...rest } as unknown as RenderRecord;
  return { id, modelId, record, file: `${project}/${id}.png`, mediaType: 'image/png', ...rest } as LibraryEntry;
}

test('an empty form offers the model’s latest images of this project, each of another prompt, three at most', () => {
  const entries = [
    saved('no file', 'a', project, { file: undefined }),
    saved('other model', 'b', project, { modelId: 'paperlight/strata/strata-2-fast' }),
    saved('text', 'c', project, { mediaType: 'text/markdown' }),
    saved('other project', 'd', 'file:///other'),
    saved('waits to be reviewed', 'e', project, { staged: {} as RenderRecord['staged'] }),
    saved('large inputs', 'f', project, { isApart: true }),
    saved('newest', 'a fox', project),
    saved('same prompt', 'a fox ', project),
    saved('second', 'a hare', project),
    saved('third', 'a deer', project),
    saved('fourth', 'an owl', project),
  ];
  const ids = (roots: string[]) => earlierImages(entries, roots, modelId).map(({ id }) => id);
  assert.deepEqual(ids([project]), ['newest', 'second', 'third']);
  assert.deepEqual(ids([]), [], 'without a folder, none of a project');
});
