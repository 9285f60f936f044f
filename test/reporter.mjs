// Node's test runner writes each result, and each figure a test tells by `t.diagnostic`, as a line of JSON through this: the shapes are in
// editor/results.ts.

/**
 * @param {AsyncIterable<{ type: string, data: any }>} events
 * @returns {AsyncGenerator<string>}
 */
export default async function* report(events) {
  for await (const { type, data } of events) {
    // The runner's own counts stand in no file.
    if (type === 'test:diagnostic' && data.file !== undefined) yield `${JSON.stringify({ figure: data.message })}\n`;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const error = data.details.error;
    const onlyHolds = data.details.type === 'suite' || error?.failureType === 'subtestsFailed';
    if (onlyHolds && (type === 'test:pass' || error?.failureType === 'subtestsFailed')) continue;
    const outcome =
      type === 'test:fail' && data.todo === undefined ? 'failed' : data.skip === undefined ? 'passed' : 'skipped';
    const result = {
      name: data.name,
      outcome,
      took: data.details.duration_ms,
      error: error && shortened(textOf(error.cause ?? error)),
      file: data.file,
    };
    yield `${JSON.stringify({ result })}\n`;
  }
}

/**
 * A generated input may have millions of characters.
 * @param {string} text
 * @returns {string}
 */
function shortened(text) {
  return text.length <= 8000 ? text : `${text.slice(0, 4000)} … ${text.slice(-4000)}`;
}

/**
 * With its causes: a test that tells where it was when something failed has what failed as the cause.
 * @param {unknown} error
 * @returns {string}
 */
function textOf(error) {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\nbecause of ${textOf(error.cause)}`;
}
