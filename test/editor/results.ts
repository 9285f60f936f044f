/** The result of one test. */
export interface TestResult {
  /** The names of its suites and its own, as one sentence. */
  name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Milliseconds. */
  took: number;
  error?: string;
  /** Its source file, if the runner knows it. */
  file?: string;
}

/**
 * A line in the file that tests report to: each result as it comes, a measurement as a message, and `end` when all have
 * run.
 */
export type ReportLine = { result: TestResult } | { figure: string } | { end: true };

/** The variables in which the runner passes its instructions to the module inside the editor. */
export const environment = {
  /** JSON list of the built test modules. */
  tests: 'MODEL_CATALOG_TESTS',
  /** The file to report to. */
  report: 'MODEL_CATALOG_REPORT',
  /** The file to which each search for the key appends its figures, as a line of JSON. */
  traces: 'MODEL_CATALOG_TRACES',
  /** Where the launcher saves a screenshot of the window after the tests. */
  screenshot: 'MODEL_CATALOG_SCREENSHOT',
  /** JSON object of the user's settings. */
  settings: 'MODEL_CATALOG_SETTINGS',
} as const;
