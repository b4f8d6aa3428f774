import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"6. Two packages","description":"","frontmatter":{},"headers":[],"relativePath":"docs/decisions/0006-two-packages.md","filePath":"docs/decisions/0006-two-packages.md"}');
const _sfc_main = { name: "docs/decisions/0006-two-packages.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="6-two-packages" tabindex="-1">6. Two packages <a class="header-anchor" href="#6-two-packages" aria-label="Permalink to &quot;6. Two packages&quot;">​</a></h1><p>Status: accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p><code>hookproof</code> was one package. A shop that receives webhooks in production installed the sandbox, the suite and the generator of events with it, and a security review of the receiver had to look at all of their dependencies.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p><code>@hookproof/receiver</code> is what runs in production: one dependency (<code>raw-body</code>), and the databases and frameworks as optional peers. <code>hookproof</code> is the tool for development and CI, and depends on the receiver for <code>hookproof receive</code>. Both come from one repository, have the same version, and are released together.</p><p><code>receiver/</code> and <code>conformance/</code> never import each other. A helper that both used could have one bug that the suite would then not see; the linter enforces it, and both have their own parser of the header and their own signer or verifier.</p><table tabindex="0"><thead><tr><th>considered</th><th>not taken because</th></tr></thead><tbody><tr><td>one package with subpath exports</td><td><code>npm install</code> takes everything, whichever subpath is imported</td></tr><tr><td>a package for each adapter</td><td>ten versions to keep in step, for files of fifty lines</td></tr><tr><td>a shared package of types</td><td>the receiver would depend on the tool&#39;s release again; it has its own types, generated from the same schema</td></tr></tbody></table><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Some code exists twice, on purpose. A release publishes the receiver first, and <code>npm run release:dry</code> checks that the versions agree.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/decisions/0006-two-packages.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0006TwoPackages = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0006TwoPackages as default
};
