// The scene that the page opens with: a town of houses, whose streets have a lane each way, and giants among those who walk there.
// Each goes along its lane, and comes in again at the other end of it. Who is pushed aside turns back to its own way.
export const TOWN = { fill, move };
const STREET = 0.4, SPACE = 56, PACE = 0.12, TURN = 0.06;  // of a block; a block and its street; a step's length; of the way to its heading

function fill(agents, count) {
    const side = Math.ceil(Math.sqrt(count)) * 3, streets = Math.max(2, Math.round(side / SPACE)), block = side / streets;
    const wide = block * STREET, walls = [];
    for (let row = 0; row < streets; ++row)
        for (let column = 0; column < streets; ++column)
            walls.push(column * block + wide, row * block + wide, (column + 1) * block, (row + 1) * block);
    Object.assign(agents, { side, count, houses: walls, town: { lanes: new Float32Array(2 * count), isUp: new Uint8Array(count), paces: new Float32Array(count) } });
    for (let i = 0; i < count; ++i) {
        const isUp = agents.any(2) >= 1, isBack = agents.any(2) >= 1, lane = Math.floor(agents.any(streets)) * block + (isBack ? wide / 2 : 0);
        const radius = i % 300 === 0 ? Math.min(1.5 + agents.any(1.5), wide / 4) : 0.5, across = lane + radius + agents.any(wide / 2 - 2 * radius);
        const along = agents.any(side), pace = (isBack ? -1 : 1) * PACE * (0.7 + agents.any(0.6));
        agents.radius[i] = radius;
        agents.town.isUp[i] = isUp ? 1 : 0;
        agents.town.paces[i] = pace;
        agents.town.lanes[2 * i] = lane + radius;
        agents.town.lanes[2 * i + 1] = lane + wide / 2 - radius;
        agents[isUp ? "y" : "x"][i] = along;
        agents[isUp ? "x" : "y"][i] = across;
        agents[isUp ? "vy" : "vx"][i] = pace;
        agents[isUp ? "vx" : "vy"][i] = 0;
    }
}

function move(agents, speed) {
    const { x, y, vx, vy, count, side, town: { lanes, isUp, paces } } = agents;
    for (let i = 0; i < count; ++i) {
        const along = isUp[i] ? y : x, across = isUp[i] ? x : y, ahead = isUp[i] ? vy : vx, aside = isUp[i] ? vx : vy;
        ahead[i] += TURN * (paces[i] - ahead[i]);
        aside[i] *= 1 - TURN;
        along[i] = (along[i] + ahead[i] * speed + side) % side;
        across[i] = Math.min(Math.max(across[i] + aside[i] * speed, lanes[2 * i]), lanes[2 * i + 1]);
    }
    agents.touches.fill(0, 0, count);
}
