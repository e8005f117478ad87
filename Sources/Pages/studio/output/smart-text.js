// What the switch of smart rendering says.

const PLAIN = "encode only what changes";

/**
 * What is shown beside the switch.
 * @param {import("../../shared/server").KeepingEstimate | null} estimate null if it isn't known
 * @param {boolean} isOn
 */
export function estimateText(estimate, isOn) {
    if (!estimate || estimate.kept + estimate.encoded === 0) return PLAIN;
    const share = Math.floor(100 * estimate.kept / (estimate.kept + estimate.encoded));
    if (isOn) return share > 0 ? `keeps ${share} % of the video as it is stored` : `keeps nothing: ${estimate.reason}`;
    return share > 50 ? `would keep ${share} % of the video as it is stored` : PLAIN;
}
