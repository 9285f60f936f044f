/** What came of one test. */
export interface TestResult {
  /** Its suites and its own name, as a sentence. */
  name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Milliseconds. */
  took: number;
  error?: string;
  /** The source it stands in, where the runner tells it. */
  file?: string;
}

/**
 * A line of the file in which tests report: each result as it comes, what a test measured, in words, and `end` when all
 * have run.
 */
export type ReportLine = { result: TestResult } | { figure: string } | { end: true };

/** How the runner tells the module inside the editor what to do. */
export const environment = {
  /** JSON list of the built modules of tests. */
  tests: 'MODEL_CATALOG_TESTS',
  /** The file to report to. */
  report: 'MODEL_CATALOG_REPORT',
  /** The file to which each search for the key adds its figures, as a line of JSON. */
  traces: 'MODEL_CATALOG_TRACES',
  /** Where the launcher puts a picture of the window when the tests have ended. */
  screenshot: 'MODEL_CATALOG_SCREENSHOT',
  /** JSON object of the user's settings. */
  settings: 'MODEL_CATALOG_SETTINGS',
} as const;
