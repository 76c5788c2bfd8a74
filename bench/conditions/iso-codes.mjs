/** So many different texts in the form of a country's ISO code, AA to ZZ: the service does not look them up. */
export const isoCodes = (count) => Array.from({ length: count }, (_, n) => String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26)));
