import { systemClock } from '../../../base/clock';
import { systemRandom } from '../../../base/random';
import { CatalogClient, type ClientSetup } from '../../../catalog/client';
import { imagesOf } from '../../../files/givenImages';

/** A client on the machine's clock, whose requests have the images that were chosen in the window's project. */
export function makeClient(
  setup: Pick<ClientSetup, 'base' | 'key' | 'account' | 'transport' | 'language' | 'log'>,
  window: Parameters<typeof imagesOf>[0],
): CatalogClient {
  const images = imagesOf(window);
  const imageBytes = images.read.bind(images);
  return new CatalogClient({ ...setup, clock: systemClock, random: systemRandom, imageBytes });
}
