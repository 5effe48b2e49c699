/** Purpose that the salts of souls are encrypted for: all of them, because one reader decrypts them. */
export const SALT_PURPOSE = "soul-salt";
