/** The most images compared at once: no screen shows more. */
export const mostCompared = 16;
