import { systemClock } from '../../base/clock';
import { systemRandom } from '../../base/random';
import { CatalogClient, type ClientSetup } from '../../catalog/client';
import { imagesIn } from '../../files/givenImages';

/** A client on the machine's clock, whose requests have the images kept in `storage`. */
export function makeClient(
  setup: Pick<ClientSetup, 'base' | 'key' | 'account' | 'transport' | 'language' | 'log'>,
  storage: string,
): CatalogClient {
  const images = imagesIn(storage);
  const imageBytes = images.read.bind(images);
  return new CatalogClient({ ...setup, clock: systemClock, random: systemRandom, imageBytes });
}
