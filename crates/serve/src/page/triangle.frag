#version 300 es
precision highp float;
precision highp int;
uniform sampler2D ramp;
uniform vec2 ends;        // places of values 0 and 65534 on the ramp
uniform vec3 noValue;
smooth in float shown;
smooth in float missing;
layout(location = 0) out vec4 colour;
layout(location = 1) out uint found;

void main() {
  float last = float(textureSize(ramp, 0).x) - 1.0;
  float place = clamp(mix(ends.x, ends.y, shown / 65534.0), 0.0, 1.0);
  vec3 known = texture(ramp, vec2((0.5 + place * last) / (last + 1.0), 0.5)).rgb;
  colour = vec4(missing > 0.0 ? noValue : known, 1);
  // the value and 1
  found = missing > 0.0 ? 65536u : uint(shown + 0.5) + 1u;
}
