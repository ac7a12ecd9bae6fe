import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** The prefix of every token, so that a scanner for leaked secrets can recognize it. */
export const TOKEN_PREFIX = "andon_";

/** 256 random bits: too many to be guessed from a stored hash, so the hash needs no salt and can be looked up. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function newToken(): string {
  return `${TOKEN_PREFIX}${newSecret()}`;
}

export function hashOf(secret: string): string {
  return hash("sha256", secret);
}

/** Compares in constant time. Both are hashes, so their length reveals nothing. */
export function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, "hex"), Buffer.from(other, "hex"));
}
