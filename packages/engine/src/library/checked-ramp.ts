import { DEFAULT_WAVES, LARGEST_WAVE, MOST_WAVES, type RampWish } from "@andon/contract";
import { refused } from "./checked-argument.ts";

const THE_RESUME = { en: "the resume", ko: "재개" };
const ALLOWED = {
  en: `true, or { waves } with 1 to ${MOST_WAVES} whole numbers from 1 to ${LARGEST_WAVE}`,
  ko: `true 또는 { waves }: 1부터 ${LARGEST_WAVE}까지의 정수 1~${MOST_WAVES}개`,
};

/** The sizes of the waves; undefined without a ramp. */
export function checkedWaves(ramp: RampWish | undefined): readonly number[] | undefined {
  if (ramp === undefined || ramp === false || ramp === null) return undefined;
  if (ramp === true) return DEFAULT_WAVES;
  const { waves } = ramp;
  const isWave = (size: unknown) =>
    Number.isInteger(size) && (size as number) >= 1 && (size as number) <= LARGEST_WAVE;
  if (!Array.isArray(waves) || waves.length === 0 || waves.length > MOST_WAVES || !waves.every(isWave))
    refused(THE_RESUME, "ramp", ramp, ALLOWED);
  return [...waves];
}
