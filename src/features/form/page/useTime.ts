import { useEffect, useState } from 'preact/hooks';

/** The time since `said` last changed, ms by our own clock; updates every second. */
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
