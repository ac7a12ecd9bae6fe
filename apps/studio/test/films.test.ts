import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureFilmPrograms } from "@andon/testkit";
import { expect } from "vitest";
import { describeStudio, png } from "./harness.ts";

const FFPROBE = "ffprobe";
const hasPrograms = ensureFilmPrograms();

function probe(path: string) {
  const args = ["-v", "error", "-show_streams", "-show_format", "-of", "json", path];
  return JSON.parse(execFileSync(FFPROBE, args, { encoding: "utf8" }));
}

/**
 * A phone's photo of blue sky above red ground. The sensor stored its rows as columns, and the EXIF orientation 6 says how to
 * rotate it.
 */
function turnedPhoto(folder: string): Buffer {
  const path = join(folder, "photo.jpg");
  const half = (colour: string) => ["-f", "lavfi", "-i", `color=${colour}:s=160x180`];
  const args = ["-v", "error", "-y", ...half("blue"), ...half("red"), "-filter_complex", "hstack"];
  execFileSync("ffmpeg", [...args, "-frames:v", "1", path]);
  const photo = readFileSync(path);
  // One entry: tag 0x0112, one short, value 6: rotate the picture by 90 degrees clockwise.
  const exif = Buffer.from("4d4d002a00000008000101120003000000010006000000000000", "hex");
  const head = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), exif]);
  const size = Buffer.alloc(2);
  size.writeUInt16BE(head.length + 2);
  return Buffer.concat([photo.subarray(0, 2), Buffer.from([0xff, 0xe1]), size, head, photo.subarray(2)]);
}

function coloursOf(film: string) {
  const args = [
    "-v",
    "error",
    "-i",
    film,
    "-frames:v",
    "1",
    "-vf",
    "scale=1:2:flags=area,format=rgb24",
    "-f",
    "rawvideo",
    "-",
  ];
  const bytes = execFileSync("ffmpeg", args);
  const pixels = [bytes.subarray(0, 3), bytes.subarray(3, 6)];
  return pixels.map(([red = 0, , blue = 0]) => (red > blue ? "red" : "blue"));
}

describeStudio("films", (it) => {
  if (!hasPrograms) return;

  it("a task with uploaded images becomes a film that ffprobe accepts", {}, async (server) => {
    const id = await server.makeTask({
      title: "봄 소식: 'A' & {B}",
      prompt: "꽃이 핍니다. 새가 돌아옵니다.",
    });
    await server.parked(id);
    const uploaded = await server.upload(id, turnedPhoto(server.data), png(300, 500, [10, 200, 90]));
    expect(uploaded.status).toBe(201);
    expect(uploaded.body.images).toMatchObject([
      { number: 1, source: "upload", mimeType: "image/jpeg" },
      { number: 2 },
    ]);
    const task = await server.reaches(id, "youtube/completed");
    expect(task.phases.map((phase: { type: string }) => phase.type)).toEqual([
      "schedule",
      "script",
      "image",
      "video",
      "youtube",
    ]);
    expect(task.metadata.script.scenes.map((scene: { text: string }) => scene.text)).toContain(
      "꽃이 핍니다.",
    );

    const { body, headers } = await server.ask("GET", `/tasks/${id}/video`);
    expect(headers.get("content-type")).toBe("video/mp4");
    const path = join(server.data, "seen.mp4");
    writeFileSync(path, body);
    // The photo is upright, with its sky above its ground: the first frame, scaled to two pixels one above the other.
    expect(coloursOf(path)).toEqual(["blue", "red"]);
    const { streams, format } = probe(path);
    expect(streams.map((stream: { codec_name: string }) => stream.codec_name)).toEqual(["h264", "mov_text"]);
    expect(streams[0]).toMatchObject({ width: 320, height: 180 });
    // The picture lasts to the end; subtitles alone could make the file as long.
    for (const seconds of [format.duration, streams[0].duration])
      expect(Math.abs(Number(seconds) - task.metadata.video.seconds)).toBeLessThan(0.2);
    // With the index before the pictures, a browser can start playing at once.
    expect(body.indexOf("moov")).toBeLessThan(body.indexOf("mdat"));
    const part = await server.ask("GET", `/tasks/${id}/video`, { headers: { range: "bytes=4-7" } });
    expect([part.status, part.body.toString()]).toEqual([206, "ftyp"]);

    expect(readdirSync(join(server.data, "published"))).toEqual([task.metadata.youtube.file]);
    expect(readdirSync(join(server.data, "studio-work"))).toEqual([]);
  });

  it("a task with title cards and speech needs no image from people", {}, async (server) => {
    const id = await server.makeTask({
      title: "Spring",
      script: "Flowers bloom.\n\nBirds return.",
      imageSource: "titles",
      speech: true,
    });
    const task = await server.reaches(id, "youtube/completed");
    expect(task.images).toMatchObject([{ source: "title" }, { source: "title" }]);
    expect(task.metadata.video).toMatchObject({ hasSound: true, hasSubtitles: true });
    const { body } = await server.ask("GET", `/tasks/${id}/images/1`);
    expect(body.subarray(1, 4).toString()).toBe("PNG");
  });
});
