import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestResult } from '../editor/results';
import { cameTooLate } from '../late';

const passed: TestResult = { name: 'it goes well', outcome: 'passed', took: 1, file: 'a.ts' };
const failed = (file: string, error: string): TestResult => ({
  name: 'it fails',
  outcome: 'failed',
  took: 1,
  file,
  error,
});
const wait = 'locator.waitFor: Timeout 60000ms exceeded.';

test('a source whose first failure is a timeout is run again, whatever fails after it', () => {
  assert.deepEqual(cameTooLate([passed, failed('a.ts', wait), failed('a.ts', 'AssertionError: 1 !== 2')]), ['a.ts']);
  assert.deepEqual(
    cameTooLate([failed('b.ts', 'Error: no row\nbecause of TimeoutError: did not come true within 5 ms')]),
    ['b.ts'],
  );
});

test('a suite that couldn’t start in time is run again', () => {
  const cancelled = failed('a.ts', 'Error: test did not finish before its parent and was cancelled');
  assert.deepEqual(cameTooLate([cancelled, cancelled, failed('a.ts', wait)]), ['a.ts']);
  assert.deepEqual(cameTooLate([cancelled, failed('a.ts', 'Error: no such folder')]), []);
});

test('a source whose first failure is an assertion isn’t', () => {
  assert.deepEqual(cameTooLate([passed, failed('a.ts', 'AssertionError: 1 !== 2'), failed('a.ts', wait)]), []);
});

test('if many fail, the machine isn’t the cause, and none is', () => {
  assert.deepEqual(cameTooLate(['a', 'b', 'c', 'd', 'e'].map((file) => failed(file, wait))), []);
  assert.deepEqual(cameTooLate([passed]), []);
});
