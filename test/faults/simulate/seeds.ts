/** Seeds whose schedules once broke a promise: they run first, so that what was mended stays mended. */
export const onceFailed: readonly number[] = [33, 85, 101, 180, 871];
