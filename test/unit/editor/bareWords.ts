import type { DetailWords } from '../../../src/features/origin/model/generationDetails';
import type { OriginWords } from '../../../src/features/origin/model/originView';

/** Uses the name of each fact as its text. */
export const bareDetailWords: DetailWords = {
  label: (fact) => fact,
  heading: (heading) => heading.toUpperCase(),
  standing: ({ state }) => state ?? 'elsewhere',
  money: (cents) => `${cents} cents`,
  time: (ms) => `at ${ms}`,
  duration: (ms) => `${ms} ms`,
  bytes: (count) => `${count} bytes`,
  orderer: (by) => by,
  refund: () => undefined,
  provenance: () => undefined,
  fitted: () => undefined,
  path: (uri) => uri,
};

/** The same for a file's origin. */
export const bareOriginWords: OriginWords = {
  ...bareDetailWords,
  introduction: ({ change }) => `it is ${change}`,
  withoutFile: () => 'it has no file',
  title: () => 'a render',
  promptLeftOut: 'left out',
};
