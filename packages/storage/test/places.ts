import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStorage, type Storage } from "@andon/storage";
import {
  type ApacheOptions,
  type SambaOptions,
  type SambaServer,
  type SftpServer,
  startApache,
  startSamba,
  startSshd,
  type WebdavServer,
} from "@andon/testkit";
import { startFauxqs } from "fauxqs";
import { type S3Front, startS3Front } from "./s3/s3-front.ts";

export interface OpenPlace {
  readonly storage: Storage;
  close(): Promise<void>;
}

export interface FolderPlace extends OpenPlace {
  readonly folder: string;
}

export async function temporaryFolder(): Promise<{ folder: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "andon-storage-"));
  return { folder, close: () => rm(folder, { recursive: true, force: true }) };
}

/** A folder with its marker, like one on a NAS. */
export async function openFolder(options: { marker?: boolean } = { marker: true }): Promise<FolderPlace> {
  const { folder, close } = await temporaryFolder();
  const storage = await openStorage(`file:${folder}`, options);
  await storage.initMarker();
  return {
    folder,
    storage,
    close: async () => {
      await storage.close();
      await close();
    },
  };
}

export interface S3Place extends OpenPlace {
  readonly front: S3Front;
  readonly url: string;
}

/** A bucket on a server of its own. The front adds features that the server lacks, or makes it fail. */
export async function openS3(): Promise<S3Place> {
  process.env.AWS_ACCESS_KEY_ID ??= "test";
  process.env.AWS_SECRET_ACCESS_KEY ??= "test";
  const server = await startFauxqs({ port: 0, logger: false, init: { buckets: ["bytes"] } });
  const front = await startS3Front(`http://127.0.0.1:${server.port}`);
  const url = `s3://bytes/some/prefix?endpoint=${front.url}&region=us-east-1&forcePathStyle=true`;
  const storage = await openStorage(url);
  return {
    storage,
    front,
    url,
    close: async () => {
      await storage.close();
      await front.close();
      await server.stop();
    },
  };
}

export interface SmbPlace extends OpenPlace {
  readonly server: SambaServer;
  readonly url: string;
  /** The local folder behind the storage. */
  readonly folder: string;
}

/** A folder of a share on a Samba server of its own, with its marker, like one on a NAS. */
export async function openSmb(options: SambaOptions = {}): Promise<SmbPlace> {
  const server = await startSamba(options);
  const url = `${server.url}/some/nas`;
  const storage = await openStorage(url, { marker: true });
  await storage.initMarker();
  return {
    server,
    url,
    folder: join(server.folder, "some/nas"),
    storage,
    close: async () => {
      await storage.close();
      await server.stop();
    },
  };
}

export interface SftpPlace extends OpenPlace {
  readonly server: SftpServer;
}

/** A folder on an SSH server of its own, with its marker. */
export async function openSftp(): Promise<SftpPlace> {
  const server = await startSshd();
  const storage = await openStorage(server.url, { marker: true });
  await storage.initMarker();
  return {
    server,
    storage,
    close: async () => {
      await storage.close();
      await server.stop();
    },
  };
}

export interface WebdavPlace extends OpenPlace {
  readonly server: WebdavServer;
}

/** A folder on a WebDAV server of its own, with its marker. */
export async function openWebdav(options: ApacheOptions = {}): Promise<WebdavPlace> {
  const server = await startApache(options);
  const storage = await openStorage(server.url, { marker: true });
  await storage.initMarker();
  return {
    server,
    storage,
    close: async () => {
      await storage.close();
      await server.stop();
    },
  };
}
