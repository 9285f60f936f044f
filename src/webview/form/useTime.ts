import { useEffect, useState } from 'preact/hooks';

/** How long, ms by our own clock, `said` has been what the host says; counts on, second by second. */
export function useTimeSince(said: unknown): number {
  const [from, setFrom] = useState({ said, at: performance.now() });
  const [, tick] = useState(0);
  if (from.said !== said) setFrom({ said, at: performance.now() });
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return from.said === said ? performance.now() - from.at : 0;
}
