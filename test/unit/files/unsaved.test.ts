import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasUnsavedEdits } from '../../../src/files/replacement';

function open(uri: string, isDirty: boolean) {
  return { uri: { toString: () => uri }, isDirty };
}

test('an image open as text with unsaved edits is detected, however its URI is spelled', () => {
  const documents = [open('file:///c%3A/project/a%20fox.svg', true), open('file:///c%3A/project/hen.svg', false)];
  assert.equal(hasUnsavedEdits('file:///C:/project/a fox.svg', documents), true);
  assert.equal(hasUnsavedEdits('file:///c%3A/project/hen.svg', documents), false);
  assert.equal(hasUnsavedEdits('file:///c%3A/project/fox.svg', documents), false);
  assert.equal(hasUnsavedEdits('file:///c%3A/project/fox.svg', []), false);
});
