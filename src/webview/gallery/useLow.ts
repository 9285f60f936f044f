import { useLayoutEffect, useState } from 'preact/hooks';

/** Lower than this, one whole row of tiles of the usual size is all that is seen, px. */
const low = 480;

/** True while the page is so low that all in it is to be smaller, as beside a terminal. */
export function useLow(): boolean {
  const [isLow, setLow] = useState(innerHeight < low);
  useLayoutEffect(() => {
    const measure = () => setLow(innerHeight < low);
    addEventListener('resize', measure);
    measure();
    return () => removeEventListener('resize', measure);
  }, []);
  return isLow;
}
