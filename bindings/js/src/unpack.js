// The modules are packed together by LZMA. Its window is large enough to store the second as its differences from the first. This
// is its whole decoder, for lc = 3, lp = 0 and pb = 0.
//
// A range coder gives each bit. Its probabilities adapt, and lie in one array, by their use.
const IS_MATCH = 0, IS_REP = 12, IS_REP_G0 = 24, IS_REP_G1 = 36, IS_REP_G2 = 48, IS_REP0_LONG = 60;
const SLOT = 72, SPECIAL = SLOT + 4 * 64, ALIGN = SPECIAL + 128, LENGTHS = ALIGN + 16, REP_LENGTHS = LENGTHS + 512;
const LITERAL = REP_LENGTHS + 512, PROBABILITIES = LITERAL + (0x300 << 3);

export function unpack(packed, size) {
    const out = new Uint8Array(size), odds = new Uint16Array(PROBABILITIES).fill(1024);
    let at = 1, range = 0xffffffff, code = 0;
    for (let k = 0; k < 4; ++k) code = (code << 8 | packed[at++]) >>> 0;

    function bit(which) {
        const odd = odds[which], bound = (range >>> 11) * odd;
        let found = 0;
        if (code < bound) {
            range = bound;
            odds[which] = odd + (2048 - odd >>> 5);
        } else {
            range = range - bound >>> 0;
            code = code - bound >>> 0;
            odds[which] = odd - (odd >>> 5);
            found = 1;
        }
        if (range < 0x1000000) {
            range = range << 8 >>> 0;
            code = (code << 8 | packed[at++]) >>> 0;
        }
        return found;
    }
    function tree(first, bits) {
        let mark = 1;
        for (let k = 0; k < bits; ++k) mark = mark << 1 | bit(first + mark);
        return mark - (1 << bits);
    }
    function reversed(first, bits) {
        let mark = 1, value = 0;
        for (let k = 0; k < bits; ++k) {
            const found = bit(first + mark);
            mark = mark << 1 | found;
            value |= found << k;
        }
        return value;
    }
    function direct(bits) {
        let value = 0;
        for (let k = 0; k < bits; ++k) {
            range >>>= 1;
            const found = code >= range ? 1 : 0;
            if (found) code = code - range >>> 0;
            if (range < 0x1000000) {
                range = range << 8 >>> 0;
                code = (code << 8 | packed[at++]) >>> 0;
            }
            value = value * 2 + found;
        }
        return value;
    }
    const lengthOf = (first) =>
        bit(first) === 0 ? tree(first + 2, 3) : bit(first + 1) === 0 ? 8 + tree(first + 10, 3) : 16 + tree(first + 18, 8);
    function literal(to, state, distance) {
        const first = LITERAL + 0x300 * (to === 0 ? 0 : out[to - 1] >>> 5);
        let mark = 1;
        if (state >= 7) {
            let match = out[to - distance - 1];
            do {
                match <<= 1;
                const wanted = match & 0x100, found = bit(first + 0x100 + wanted + mark);
                mark = mark << 1 | found;
                if (wanted >>> 8 !== found) break;
            } while (mark < 0x100);
        }
        while (mark < 0x100) mark = mark << 1 | bit(first + mark);
        return mark;
    }
    function distanceOf(length) {
        const slot = tree(SLOT + 64 * Math.min(length, 3), 6);
        if (slot < 4) return slot;
        const bits = (slot >>> 1) - 1, high = (2 | slot & 1) * 2 ** bits;
        if (slot < 14) return high + reversed(SPECIAL + high - slot, bits);
        return high + direct(bits - 4) * 16 + reversed(ALIGN, 4);
    }

    let state = 0, rep0 = 0, rep1 = 0, rep2 = 0, rep3 = 0;
    for (let to = 0; to < size;) {
        if (bit(IS_MATCH + state) === 0) {
            out[to] = literal(to, state, rep0);
            ++to;
            state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
            continue;
        }
        let length = 0;
        if (bit(IS_REP + state) === 0) {
            rep3 = rep2;
            rep2 = rep1;
            rep1 = rep0;
            length = lengthOf(LENGTHS) + 2;
            rep0 = distanceOf(length - 2);
            state = state < 7 ? 7 : 10;
        } else {
            // One of the last four distances, which then becomes the first of them.
            if (bit(IS_REP_G0 + state) === 1) {
                let distance = rep1;
                if (bit(IS_REP_G1 + state) === 1) {
                    distance = rep2;
                    if (bit(IS_REP_G2 + state) === 1) {
                        distance = rep3;
                        rep3 = rep2;
                    }
                    rep2 = rep1;
                }
                rep1 = rep0;
                rep0 = distance;
            } else if (bit(IS_REP0_LONG + state) === 0) {
                length = 1;
                state = state < 7 ? 9 : 11;
            }
            if (length === 0) {
                length = lengthOf(REP_LENGTHS) + 2;
                state = state < 7 ? 8 : 11;
            }
        }
        for (; length > 0 && to < size; --length, ++to) out[to] = out[to - rep0 - 1];
    }
    return out;
}
