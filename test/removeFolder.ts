import { rm } from 'node:fs/promises';

/**
 * Deletes a folder and everything in it, if it exists. A window or editor that has just ended may hold a file open, or
 * finish writing one, for a moment.
 */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
