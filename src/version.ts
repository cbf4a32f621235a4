/** The version of this library, as records name it. A test holds it to package.json. */
export const VERSION = '0.1.0';
