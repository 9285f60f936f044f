import { useEffect, useState } from 'preact/hooks';

/** The time since `value` last changed, ms by our own clock; updates every second. */
export function useTimeSince(value: unknown): number {
  const [from, setFrom] = useState({ value, at: performance.now() });
  const [, tick] = useState(0);
  if (from.value !== value) setFrom({ value, at: performance.now() });
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return from.value === value ? performance.now() - from.at : 0;
}
