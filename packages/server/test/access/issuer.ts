import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CryptoKey,
  exportJWK,
  type GenerateKeyPairResult,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose";

export interface Issuer {
  readonly url: string;
  /** How often its keys were requested. */
  readonly asked: () => number;
  /** From now on, answers with this instead of its keys. */
  break(answer: (response: ServerResponse) => void): void;
  /** A new key pair. From now on, its public key is published. */
  addKey(algorithm: string): Promise<Signer>;
  close(): Promise<void>;
}

export interface Signer {
  readonly publicJwk: JWK;
  sign(claims: JWTPayload, header?: { alg?: string; kid?: string }): Promise<string>;
}

/** An issuer of tokens, which publishes its keys over HTTP. */
export async function startIssuer(): Promise<Issuer> {
  const keys: JWK[] = [];
  let asked = 0;
  let answer = (response: ServerResponse) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys }));
  };
  const server = createServer((request, response) => {
    asked++;
    if (request.url === "/.well-known/jwks.json") answer(response);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    break: (other) => {
      answer = other;
    },
    async addKey(algorithm) {
      const pair = await generateKeyPair(algorithm, { extractable: true });
      const kid = `key-${keys.length}`;
      const publicJwk = { ...(await exportJWK(pair.publicKey)), kid, alg: algorithm };
      keys.push(publicJwk);
      return signerOf(pair, publicJwk, algorithm, kid);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function signerOf(pair: GenerateKeyPairResult, publicJwk: JWK, alg: string, kid: string): Signer {
  return { publicJwk, sign: (claims, header) => signed(claims, { alg, kid, ...header }, pair.privateKey) };
}

function signed(claims: JWTPayload, header: { alg: string; kid: string }, key: CryptoKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}
