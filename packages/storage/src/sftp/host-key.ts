import type { Localized } from "@andon/contract";
import { fingerprintOf, lookUpHost } from "./known-hosts.ts";
import type { SftpAddress } from "./sftp-url.ts";

export interface HostKeyCheck {
  /** The key types to ask the host for; undefined: any type. */
  readonly types: readonly string[] | undefined;
  /** Why the key of the host is not trusted; undefined if it is trusted. */
  problemOf(key: Buffer): Localized | undefined;
}

/** The algorithms of a key that `known_hosts` lists as `ssh-rsa`. */
const RSA = ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"];

/** A key is trusted only if the address or the `known_hosts` file names it, never because it is the first one seen. */
export async function hostKeyCheckOf({
  hostKeys,
  knownHosts,
  host,
  port,
}: SftpAddress): Promise<HostKeyCheck> {
  if (hostKeys.length > 0) {
    return {
      types: undefined,
      problemOf: (key) => (hostKeys.includes(fingerprintOf(key)) ? undefined : changed(key, hostKeys)),
    };
  }
  const { types, trusted, revoked } = await lookUpHost(knownHosts, host, port);
  return {
    types: types.length > 0 ? types.flatMap((type) => (type === "ssh-rsa" ? RSA : [type])) : undefined,
    problemOf(key) {
      const seen = fingerprintOf(key);
      if (revoked.includes(seen)) {
        return {
          en: `its host key ${seen} is revoked in ${knownHosts}`,
          ko: `호스트 키 ${seen}은(는) ${knownHosts}에서 폐기된 키입니다`,
        };
      }
      if (trusted.includes(seen)) return undefined;
      return trusted.length > 0 ? changed(key, trusted) : unknown(seen, knownHosts);
    },
  };
}

function unknown(seen: string, knownHosts: string): Localized {
  return {
    en: `its host key is ${seen}, and nothing says that this is the right one. Compare it with the server's own, then add hostKey=${seen} to the address, or the host to ${knownHosts}`,
    ko: `호스트 키는 ${seen}이며, 올바른 키인지 확인할 수 없습니다. 서버의 키와 비교한 뒤 주소에 hostKey=${seen}을(를) 추가하거나 ${knownHosts}에 호스트를 등록하세요`,
  };
}

function changed(key: Buffer, expected: readonly string[]): Localized {
  const seen = fingerprintOf(key);
  const list = expected.join(", ");
  return {
    en: `its host key is ${seen}, not ${list}. Another server may answer in its place. If the server has a new key, set hostKey=${seen} in the address, or correct the file of known hosts`,
    ko: `호스트 키가 ${list}이(가) 아니라 ${seen}입니다. 다른 서버가 응답하고 있을 수 있습니다. 서버의 키가 바뀐 것이라면 주소의 hostKey를 ${seen}(으)로 바꾸거나 known_hosts 파일을 고치세요`,
  };
}
