import { ServiceError } from '../../../catalog/errors';
import type { Model } from '../../../catalog/types';

/** The model; undefined when the service no longer knows it. */
export async function knownModel(asking: Promise<Model>): Promise<Model | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}
